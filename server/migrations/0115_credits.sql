-- Credits: an append-only ledger and its sums. Rows stay after their person has left, like all ledgers.

CREATE TABLE credit_accounts (
  user_id integer PRIMARY KEY,
  -- A cache: the sum of the entries.
  balance integer NOT NULL DEFAULT 0 CHECK (balance >= 0),
  last_seq integer NOT NULL DEFAULT 0,
  -- Why credits cannot be used for now; null: they can.
  held_reason text
);

CREATE TABLE credit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES credit_accounts,
  -- 1, 2, 3 … without gaps.
  seq integer NOT NULL CHECK (seq > 0),
  amount integer NOT NULL CHECK (amount <> 0 AND abs(amount) <= 100000),
  balance_after integer NOT NULL CHECK (balance_after >= 0),
  kind text NOT NULL CHECK (kind IN ('quest', 'campaign', 'refund', 'mall', 'expire', 'clawback', 'adjust')),
  -- The other side: sys:quest, sys:mall …
  contra text NOT NULL,
  -- One movement per key, however often it is asked for.
  idem_key text NOT NULL UNIQUE,
  ref text NOT NULL DEFAULT '',
  title text NOT NULL,
  reverses_id bigint UNIQUE REFERENCES credit_entries,
  actor integer,
  at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, seq)
);
CREATE TRIGGER credit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
