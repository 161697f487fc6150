-- AI readings of reports: one row an attempt, of one result (key) of one report. The unique key keeps two clicks from being two attempts.
CREATE TABLE ai_readings (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  report_id integer NOT NULL REFERENCES reports (rid) ON DELETE CASCADE,
  result_key text NOT NULL,
  attempt integer NOT NULL CHECK (attempt > 0),
  run_id integer NOT NULL,
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'failed')),
  provider text NOT NULL,
  sentences jsonb NOT NULL DEFAULT '[]',
  -- Why there is no reading, in words for its owner.
  reason text,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (report_id, result_key, attempt)
);

-- Who agreed to what is sent, and to which wording.
CREATE TABLE ai_consents (
  user_id integer PRIMARY KEY REFERENCES users (id),
  version integer NOT NULL,
  given_at timestamptz NOT NULL DEFAULT now()
);
