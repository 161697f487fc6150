-- Uploads, files, their immutable versions, named filters, and what waits to be removed from disk.

CREATE TABLE uploads (
  upload_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  key text NOT NULL UNIQUE CHECK (key ~ '^u_[0-9a-f]{32}$'),
  name text NOT NULL,
  size bigint NOT NULL CHECK (size > 0),
  -- Bytes safely stored; the next chunk starts here.
  received bigint NOT NULL DEFAULT 0 CHECK (received BETWEEN 0 AND size),
  declared_sha256 text,
  sha256 text,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'complete', 'used')),
  created_at timestamptz NOT NULL DEFAULT now(),
  touched_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX uploads_owner ON uploads (owner_kind, owner_id, state);

CREATE TABLE files (
  fid integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  name text NOT NULL,
  format text NOT NULL,
  -- Path of the method whose example this is; one living copy per owner.
  example text,
  head integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX files_owner ON files (owner_kind, owner_id, updated_at DESC);
CREATE UNIQUE INDEX files_example ON files (owner_kind, owner_id, example) WHERE example IS NOT NULL AND deleted_at IS NULL;

CREATE TABLE versions (
  vid integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fid integer NOT NULL REFERENCES files ON DELETE CASCADE,
  parent integer REFERENCES versions ON DELETE SET NULL,
  number integer NOT NULL,
  table_key text NOT NULL UNIQUE CHECK (table_key ~ '^t_[0-9a-f]{32}$'),
  -- Key of the folder that holds the data, when this version changes meaning only.
  data_key text,
  upload_id integer REFERENCES uploads ON DELETE SET NULL,
  size bigint NOT NULL,
  rows bigint NOT NULL,
  columns jsonb NOT NULL,
  import_report jsonb,
  step jsonb NOT NULL,
  -- What the list of files shows, so that it need not read the columns.
  summary jsonb NOT NULL,
  -- Names and labels of the columns, for the keyword search.
  search text NOT NULL,
  filter jsonb,
  weight jsonb,
  split jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (fid, number)
);
ALTER TABLE files ADD FOREIGN KEY (head) REFERENCES versions ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED;
CREATE INDEX versions_parent ON versions (parent);
CREATE INDEX versions_upload ON versions (upload_id);

CREATE TABLE named_filters (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fid integer NOT NULL REFERENCES files ON DELETE CASCADE,
  name text NOT NULL,
  condition text NOT NULL,
  filter_type text NOT NULL,
  reduce_num integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX named_filters_fid ON named_filters (fid);

-- Stored things nobody refers to any more. Removal waits so that a backup never holds a row without its file.
CREATE TABLE garbage (
  key text PRIMARY KEY CHECK (key ~ '^[ut]_[0-9a-f]{32}$'),
  due_at timestamptz NOT NULL
);
