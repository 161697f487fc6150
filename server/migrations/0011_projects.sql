-- Projects and the log of what was done in them.

CREATE TABLE projects (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  name text NOT NULL,
  place integer NOT NULL,
  -- Made by an analysis that has not ended well yet: in no list.
  draft boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX projects_owner ON projects (owner_kind, owner_id, place);

CREATE TABLE project_events (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects ON DELETE CASCADE,
  act text NOT NULL,
  text text NOT NULL,
  rid integer,
  rev integer,
  title text,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX project_events_project ON project_events (project_id, id DESC);
