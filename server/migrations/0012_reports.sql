-- Reports, their revisions and documents, presentation, shares; calls of analyses.

CREATE TABLE reports (
  rid integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  project_id integer NOT NULL REFERENCES projects ON DELETE CASCADE,
  vid integer REFERENCES versions ON DELETE SET NULL,
  fid integer REFERENCES files ON DELETE SET NULL,
  file_name text,
  path text NOT NULL,
  method text NOT NULL,
  title text NOT NULL,
  -- The person's own title outlives a new run.
  titled boolean NOT NULL DEFAULT false,
  pinned boolean NOT NULL DEFAULT false,
  note text NOT NULL DEFAULT '',
  frozen boolean NOT NULL DEFAULT false,
  -- 0: the first run has not ended well yet; such a report is in no list and goes away by itself.
  rev integer NOT NULL DEFAULT 0,
  revs integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX reports_project ON reports (project_id, rid);
CREATE INDEX reports_owner ON reports (owner_kind, owner_id, updated_at DESC);
CREATE INDEX reports_vid ON reports (vid);
CREATE INDEX reports_fid ON reports (fid);

-- One result, stored once, however many revisions show it.
CREATE TABLE report_documents (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  key text NOT NULL,
  document text NOT NULL,
  -- Folder with the columns this analysis made, if it made any.
  kept text,
  made_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX report_documents_key ON report_documents (owner_kind, owner_id, key);

CREATE TABLE report_revs (
  rid integer NOT NULL REFERENCES reports ON DELETE CASCADE,
  rev integer NOT NULL,
  key text NOT NULL,
  document_id integer NOT NULL REFERENCES report_documents,
  vid integer REFERENCES versions ON DELETE SET NULL,
  form jsonb NOT NULL,
  filter jsonb,
  weight jsonb,
  split jsonb,
  fill_missing integer NOT NULL DEFAULT 0,
  made_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (rid, rev)
);
CREATE INDEX report_revs_document ON report_revs (document_id);
CREATE INDEX report_revs_vid ON report_revs (vid);

CREATE TABLE report_configs (
  rid integer NOT NULL REFERENCES reports ON DELETE CASCADE,
  report_type text NOT NULL,
  presentation jsonb NOT NULL DEFAULT '{}',
  form jsonb,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (rid, report_type)
);

CREATE TABLE shares (
  code text PRIMARY KEY,
  rid integer NOT NULL REFERENCES reports ON DELETE CASCADE,
  rev integer NOT NULL,
  blocks jsonb,
  hide_small boolean NOT NULL,
  -- The presentation of that moment: what was shared never changes under its reader.
  presentation jsonb NOT NULL DEFAULT '{}',
  title text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz,
  ended_at timestamptz
);
CREATE INDEX shares_rid ON shares (rid);

-- What a run of an analysis is for; open while the run goes on.
CREATE TABLE analysis_calls (
  run_id integer PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  rid integer NOT NULL,
  key text NOT NULL,
  -- Folder the engine may write new columns to.
  kept text NOT NULL,
  plan jsonb NOT NULL,
  is_open boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX analysis_calls_open ON analysis_calls (rid) WHERE is_open;
