-- AI points: an append-only ledger and its sums.

CREATE TABLE point_accounts (
  owner_kind text NOT NULL CHECK (owner_kind IN ('user', 'enterprise')),
  owner_id integer NOT NULL,
  gift integer NOT NULL DEFAULT 0 CHECK (gift >= 0),
  paid integer NOT NULL DEFAULT 0 CHECK (paid >= 0),
  last_seq integer NOT NULL DEFAULT 0,
  PRIMARY KEY (owner_kind, owner_id)
);

CREATE TABLE point_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  -- 1, 2, 3 … without gaps.
  seq integer NOT NULL CHECK (seq > 0),
  gift integer NOT NULL,
  paid integer NOT NULL,
  balance integer NOT NULL CHECK (balance >= 0),
  kind text NOT NULL CHECK (kind IN ('order', 'campaign', 'mall', 'invite', 'lucky', 'ops', 'use', 'return', 'refund')),
  -- One movement per key, however often it is asked for.
  key text NOT NULL UNIQUE,
  ref text NOT NULL DEFAULT '',
  title text NOT NULL,
  actor integer,
  at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (owner_kind, owner_id, seq),
  CHECK (gift <> 0 OR paid <> 0),
  FOREIGN KEY (owner_kind, owner_id) REFERENCES point_accounts (owner_kind, owner_id)
);
CREATE TRIGGER point_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON point_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
