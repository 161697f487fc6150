-- What must happen outside after a transaction: at least once, with a number that makes a repetition harmless.

CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  topic text NOT NULL,
  dedupe_key text NOT NULL UNIQUE,
  payload jsonb NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz,
  -- Given up after the last attempt; a person must look.
  dead_at timestamptz,
  error text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX outbox_due ON outbox (next_at, id) WHERE done_at IS NULL AND dead_at IS NULL;
CREATE INDEX outbox_dead ON outbox (id DESC) WHERE dead_at IS NOT NULL;
CREATE INDEX outbox_done ON outbox (done_at) WHERE done_at IS NOT NULL;

-- The work of a repeated write has been committed, even when its answer was lost with the process.
ALTER TABLE idempotency ADD COLUMN is_committed boolean NOT NULL DEFAULT false;
