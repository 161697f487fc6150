-- The operator's desk: who is staff, their sessions there, requests for a second pair of eyes, files of lists.

-- Written by the command line only.
CREATE TABLE operators (
  user_id integer PRIMARY KEY REFERENCES users (id),
  roles jsonb NOT NULL,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'stopped')),
  added_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- Begun by a fresh phone code; eight hours, half an hour without a call, one at a time. The secret is a cookie that no
-- script can read, beside the token.
CREATE TABLE ops_sessions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES operators (user_id),
  session_id integer NOT NULL REFERENCES sessions (id),
  secret_digest text NOT NULL,
  net_shown text NOT NULL,
  begun_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE UNIQUE INDEX ops_sessions_one_live ON ops_sessions (user_id) WHERE ended_at IS NULL;

CREATE TABLE ops_requests (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  act text NOT NULL,
  kind text NOT NULL,
  target text NOT NULL,
  -- What the target was called when it was asked for; the approver sees it.
  target_name text NOT NULL,
  target_version integer,
  payload jsonb NOT NULL,
  payload_hash text NOT NULL,
  -- The target as the asker saw it, personal values masked.
  before jsonb,
  why text NOT NULL,
  reason text NOT NULL,
  asked_by integer NOT NULL REFERENCES operators (user_id),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'refused', 'expired', 'moved')),
  decided_by integer REFERENCES operators (user_id),
  answer text,
  created_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  decided_at timestamptz,
  CHECK ((state IN ('done', 'refused')) = (decided_by IS NOT NULL))
);
CREATE INDEX ops_requests_state ON ops_requests (state, id DESC);
CREATE INDEX ops_requests_asked ON ops_requests (asked_by, id DESC);
-- The same act on the same target waits once.
CREATE UNIQUE INDEX ops_requests_one_waiting ON ops_requests (act, target, payload_hash) WHERE state = 'waiting';

-- Lists as csv, kept for a day.
CREATE TABLE ops_files (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES operators (user_id),
  name text NOT NULL,
  rows integer NOT NULL,
  csv text NOT NULL,
  ends_at timestamptz NOT NULL
);
CREATE INDEX ops_files_end ON ops_files (ends_at);
