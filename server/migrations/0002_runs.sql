-- Long pieces of work, and one-use tickets for downloads.

CREATE TABLE runs (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL CHECK (owner_kind IN ('user', 'enterprise')),
  owner_id integer NOT NULL,
  user_id integer NOT NULL REFERENCES users (id),
  kind text NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'running', 'asking', 'done', 'refused', 'failed', 'cancelled', 'timeout', 'memory', 'lost')),
  -- Number of the last event; what Last-Event-ID is compared with.
  seq integer NOT NULL DEFAULT 0,
  position integer,
  progress jsonb,
  refusal jsonb,
  result jsonb,
  error jsonb,
  payload jsonb NOT NULL,
  -- What the feature that submitted it wants to find again when it ends; never sent to the engine or shown.
  note jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  ended_at timestamptz
);
CREATE INDEX runs_open ON runs (owner_kind, owner_id) WHERE state IN ('waiting', 'running');
CREATE INDEX runs_owner ON runs (owner_kind, owner_id, id);

CREATE TABLE downloads (
  ticket_digest text PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  kind text NOT NULL,
  object_id integer NOT NULL,
  ends_at timestamptz NOT NULL
);
