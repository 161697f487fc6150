-- What went from a personal space into an enterprise or back: the person's end of the log; the enterprise's is act_log.
CREATE TABLE content_copies (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  enterprise_id integer NOT NULL REFERENCES enterprises (id),
  user_id integer NOT NULL REFERENCES users (id),
  direction text NOT NULL CHECK (direction IN ('in', 'out')),
  -- Names as they were.
  files jsonb NOT NULL DEFAULT '[]',
  projects jsonb NOT NULL DEFAULT '[]',
  reports integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX content_copies_user ON content_copies (user_id, id DESC);
CREATE INDEX content_copies_enterprise ON content_copies (enterprise_id, id DESC);
