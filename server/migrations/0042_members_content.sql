-- Content of an enterprise: who made it, and whether the other members see it. Of a person's own content the person is
-- the maker. Private until its maker opens it to the enterprise.
ALTER TABLE files
  ADD COLUMN created_by integer,
  ADD COLUMN visibility text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'all'));
ALTER TABLE projects
  ADD COLUMN created_by integer,
  ADD COLUMN visibility text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'all'));
ALTER TABLE reports
  ADD COLUMN created_by integer,
  ADD COLUMN visibility text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'all'));
ALTER TABLE models
  ADD COLUMN created_by integer,
  ADD COLUMN visibility text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'all'));
ALTER TABLE uploads ADD COLUMN created_by integer;
ALTER TABLE downloads ADD COLUMN created_by integer;

UPDATE files SET created_by = owner_id WHERE owner_kind = 'user';
UPDATE projects SET created_by = owner_id WHERE owner_kind = 'user';
UPDATE reports SET created_by = owner_id WHERE owner_kind = 'user';
UPDATE models SET created_by = owner_id WHERE owner_kind = 'user';
UPDATE uploads SET created_by = owner_id WHERE owner_kind = 'user';

CREATE INDEX files_maker ON files (owner_id, created_by) WHERE owner_kind = 'enterprise';
CREATE INDEX projects_maker ON projects (owner_id, created_by) WHERE owner_kind = 'enterprise';
CREATE INDEX reports_maker ON reports (owner_id, created_by, created_at) WHERE owner_kind = 'enterprise';
CREATE INDEX models_maker ON models (owner_id, created_by) WHERE owner_kind = 'enterprise';
CREATE INDEX uploads_maker ON uploads (owner_id, created_by) WHERE owner_kind = 'enterprise';

-- Reports and models are seen by whoever sees their project: one fact, kept in step here.
CREATE FUNCTION visibility_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.visibility := coalesce((SELECT visibility FROM projects WHERE id = NEW.project_id), 'private');
  RETURN NEW;
END $$;
CREATE TRIGGER reports_visibility BEFORE INSERT OR UPDATE OF project_id ON reports
  FOR EACH ROW EXECUTE FUNCTION visibility_of_project();
CREATE TRIGGER models_visibility BEFORE INSERT OR UPDATE OF project_id ON models
  FOR EACH ROW EXECUTE FUNCTION visibility_of_project();

CREATE FUNCTION visibility_to_content() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE reports SET visibility = NEW.visibility WHERE project_id = NEW.id;
  UPDATE models SET visibility = NEW.visibility WHERE project_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER projects_visibility AFTER UPDATE OF visibility ON projects
  FOR EACH ROW WHEN (OLD.visibility <> NEW.visibility) EXECUTE FUNCTION visibility_to_content();

-- Whose analysis was counted, for the limit of a member.
ALTER TABLE usage_hits ADD COLUMN created_by integer;
CREATE INDEX usage_hits_maker ON usage_hits (owner_id, created_by, at) WHERE owner_kind = 'enterprise';
