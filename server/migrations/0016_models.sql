-- Models: every one a result kept; those with a name are their owner's saved models.

CREATE TABLE models (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  -- NULL: kept with its result only, and gone with it.
  name text,
  path text NOT NULL,
  method text NOT NULL,
  task text NOT NULL,
  -- Folder the engine wrote and sealed, and the digest of what lies in it.
  key text NOT NULL UNIQUE,
  sha256 text NOT NULL,
  bytes bigint NOT NULL,
  card jsonb NOT NULL,
  document_id integer REFERENCES report_documents ON DELETE SET NULL,
  rid integer,
  project_id integer,
  file_name text,
  created_at timestamptz NOT NULL DEFAULT now(),
  named_at timestamptz
);
CREATE INDEX models_owner ON models (owner_kind, owner_id, named_at DESC) WHERE name IS NOT NULL;
CREATE INDEX models_document ON models (document_id);

-- Folder of a whole new table an analysis made; it becomes the table of a file when the person says so.
ALTER TABLE report_documents ADD COLUMN made text;
ALTER TABLE analysis_calls ADD COLUMN kept_table text;
ALTER TABLE analysis_calls ADD COLUMN kept_model text;

-- Folders of models are thrown away like those of tables.
ALTER TABLE garbage DROP CONSTRAINT garbage_key_check;
ALTER TABLE garbage ADD CONSTRAINT garbage_key_check CHECK (key ~ '^[utm]_[0-9a-f]{32}$');
