-- Who did what to whom, at the operator's desk and in enterprises. Rows are never changed; each carries the hash of the
-- one before, so that a changed byte is found.
CREATE TABLE act_log (
  seq bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  -- ops, or the number of an enterprise.
  scope text NOT NULL CHECK (scope = 'ops' OR scope ~ '^[1-9][0-9]{0,9}$'),
  -- NULL: the product itself (a term that ended).
  actor integer REFERENCES users (id),
  role text NOT NULL,
  act text NOT NULL,
  -- What was acted on, e.g. order HX…; personal values appear masked.
  kind text NOT NULL,
  target text NOT NULL,
  before jsonb,
  after jsonb,
  reason text,
  request_id integer,
  net text,
  rid text,
  prev_hash text NOT NULL,
  hash text NOT NULL
);
CREATE INDEX act_log_scope ON act_log (scope, seq DESC);
CREATE INDEX act_log_actor ON act_log (actor, seq DESC);
CREATE INDEX act_log_target ON act_log (kind, target, seq DESC);

CREATE FUNCTION act_log_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'act_log is append-only';
END $$;
CREATE TRIGGER act_log_kept BEFORE UPDATE OR DELETE ON act_log FOR EACH ROW EXECUTE FUNCTION act_log_is_kept();
CREATE TRIGGER act_log_whole BEFORE TRUNCATE ON act_log FOR EACH STATEMENT EXECUTE FUNCTION act_log_is_kept();
-- A plain trigger is switched off by session_replication_role; these are not.
ALTER TABLE act_log ENABLE ALWAYS TRIGGER act_log_kept;
ALTER TABLE act_log ENABLE ALWAYS TRIGGER act_log_whole;
