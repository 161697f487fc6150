-- Credits: an append-only ledger, the lots its additions expire by, and what an account is held for.

CREATE TABLE credit_accounts (
  user_id integer PRIMARY KEY REFERENCES users (id),
  -- Sum of the entries, and of what remains of the lots.
  balance integer NOT NULL DEFAULT 0 CHECK (balance >= 0),
  last_seq integer NOT NULL DEFAULT 0,
  -- Why it may neither earn nor spend.
  held_reason text,
  -- Looked at by a person and found good: what only looks unusual no longer holds it up.
  cleared_at timestamptz
);

CREATE TABLE credit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES credit_accounts (user_id),
  -- 1, 2, 3 … without gaps.
  seq integer NOT NULL CHECK (seq > 0),
  amount integer NOT NULL CHECK (amount <> 0 AND abs(amount) <= 100000),
  balance_after integer NOT NULL CHECK (balance_after >= 0),
  kind text NOT NULL CHECK (kind IN ('quest', 'campaign', 'refund', 'mall', 'expire', 'clawback', 'adjust')),
  -- The other side: who gave or took.
  contra text NOT NULL CHECK (contra IN ('sys:quest', 'sys:campaign', 'sys:mall', 'sys:expired', 'sys:desk')),
  -- One movement per key, however often it is asked for.
  idem_key text NOT NULL UNIQUE,
  ref text NOT NULL DEFAULT '',
  title text NOT NULL,
  -- The entry this one gives back; each is given back once.
  reverses_id bigint UNIQUE REFERENCES credit_entries (id),
  actor integer,
  at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, seq)
);
CREATE TRIGGER credit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE credit_lots (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES credit_accounts (user_id),
  entry_id bigint NOT NULL REFERENCES credit_entries (id),
  amount integer NOT NULL CHECK (amount > 0),
  remaining integer NOT NULL CHECK (remaining BETWEEN 0 AND amount),
  -- The first instant at which it can no longer be spent.
  expires_at timestamptz NOT NULL,
  -- Its owner was not seen before its end, and it got 90 days more.
  extended boolean NOT NULL DEFAULT false,
  -- How often it has expired: a clock set back may fill it again.
  generation integer NOT NULL DEFAULT 0,
  -- Days before the end that its owner was last told of: 60, 30, 7.
  noticed smallint
);
CREATE INDEX credit_lots_open ON credit_lots (user_id, expires_at, id) WHERE remaining > 0;
CREATE INDEX credit_lots_ending ON credit_lots (expires_at) WHERE remaining > 0;
CREATE INDEX credit_lots_entry ON credit_lots (entry_id);

CREATE TABLE credit_lot_uses (
  entry_id bigint NOT NULL REFERENCES credit_entries (id),
  lot_id bigint NOT NULL REFERENCES credit_lots (id),
  -- Taken from the lot; negative: given back to it.
  amount integer NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (entry_id, lot_id)
);
CREATE INDEX credit_lot_uses_lot ON credit_lot_uses (lot_id);

-- Objections to what was held or made void.
CREATE TABLE credit_appeals (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id),
  -- A quest record; null: the account.
  record_id integer,
  text text NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'granted', 'refused')),
  reply text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  decided_at timestamptz
);
CREATE UNIQUE INDEX credit_appeals_one_open ON credit_appeals (user_id, coalesce(record_id, 0)) WHERE state = 'open';
CREATE INDEX credit_appeals_user ON credit_appeals (user_id, id DESC);
