-- Texts compared with texts. The files themselves lie in the folder plagdet of the data; rows hold their keys.

-- What an edition may do a day, what more costs, how long results are kept. Changed by the operator without code.
CREATE TABLE plagdet_limits (
  edition text PRIMARY KEY,
  checks_day integer NOT NULL CHECK (checks_day >= 0),
  -- Characters of a check that costs nothing.
  free_characters integer NOT NULL CHECK (free_characters BETWEEN 300 AND 200000),
  documents integer NOT NULL CHECK (documents > 0),
  -- Points for a check beyond that; null: not to be had.
  price integer CHECK (price > 0),
  kept_days integer NOT NULL CHECK (kept_days BETWEEN 1 AND 180),
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- An immutable part of a library's index. What it holds of removed documents goes when it is made anew.
CREATE TABLE plagdet_segments (
  key text PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  created_by integer NOT NULL,
  documents integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Replaced; checks that began before go on reading it for a while.
  dropped_at timestamptz
);
CREATE INDEX plagdet_segments_owner ON plagdet_segments (owner_kind, owner_id, created_by) WHERE dropped_at IS NULL;

CREATE TABLE plagdet_documents (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  created_by integer NOT NULL,
  name text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'ready', 'refused')),
  -- The uploaded file until it has been read, or the text of a check it is taken from.
  upload_key text,
  from_key text,
  text_key text NOT NULL,
  segment_key text REFERENCES plagdet_segments (key),
  run_id integer,
  characters integer,
  sha256 text,
  -- Why it is not in the library, in words for its owner.
  reason text,
  -- The wording that was agreed to with it.
  consent integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX plagdet_documents_owner ON plagdet_documents (owner_kind, owner_id, created_by, id DESC);
CREATE INDEX plagdet_documents_segment ON plagdet_documents (segment_key);
-- The same text once in a library.
CREATE UNIQUE INDEX plagdet_documents_once ON plagdet_documents (owner_kind, owner_id, created_by, sha256) WHERE state = 'ready';

CREATE TABLE plagdet_checks (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  created_by integer NOT NULL,
  name text NOT NULL,
  -- Name of the second text where two are compared with each other.
  other_name text,
  run_id integer NOT NULL,
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'failed', 'cancelled')),
  reason text,
  -- File and library: the same again is the same check.
  digest text NOT NULL,
  -- How many documents of the own library it was compared with.
  documents integer NOT NULL,
  text_key text NOT NULL,
  other_key text,
  report_key text NOT NULL,
  points integer NOT NULL DEFAULT 0,
  characters integer,
  -- As they were when it ended, for lists.
  figures jsonb,
  -- What its author says of passages and sources.
  claims jsonb NOT NULL DEFAULT '{"quoted":[],"own":[],"count":[]}',
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX plagdet_checks_owner ON plagdet_checks (owner_kind, owner_id, created_by, id DESC);
CREATE INDEX plagdet_checks_expiry ON plagdet_checks (expires_at);
