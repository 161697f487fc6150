-- Enterprises: shared paid tenants with seats, members, invitations and exactly one owner at all times.
CREATE TABLE enterprises (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (char_length(name) BETWEEN 2 AND 60),
  -- Unified social credit code, checked before it is stored.
  credit_code text CHECK (credit_code ~ '^[0-9A-Z]{18}$'),
  contact text NOT NULL DEFAULT '',
  -- pending: made, only orders and settings. grace, readonly and frozen follow the end of the term.
  state text NOT NULL DEFAULT 'pending'
    CHECK (state IN ('pending', 'trial', 'active', 'grace', 'readonly', 'frozen', 'dissolving', 'deleted')),
  -- What it goes back to when the owner stops the dissolution.
  state_before text,
  seats integer NOT NULL DEFAULT 0 CHECK (seats >= 0),
  seats_used integer NOT NULL DEFAULT 0 CHECK (seats_used >= 0),
  starts_at timestamptz,
  ends_at timestamptz,
  dissolves_at timestamptz,
  -- Messages about the end that have been sent, so that each is sent once.
  noticed integer NOT NULL DEFAULT 0,
  storage_bytes bigint CHECK (storage_bytes > 0),
  settings jsonb NOT NULL DEFAULT '{}',
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX enterprises_name ON enterprises (name) WHERE state <> 'deleted';
CREATE INDEX enterprises_ends ON enterprises (ends_at) WHERE state IN ('trial', 'active', 'grace', 'readonly');

-- One trial for one credit code, whatever becomes of the enterprise.
CREATE TABLE enterprise_trials (
  credit_code text PRIMARY KEY,
  enterprise_id integer NOT NULL REFERENCES enterprises (id),
  contact text NOT NULL,
  began_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE enterprise_members (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  enterprise_id integer NOT NULL REFERENCES enterprises (id),
  user_id integer NOT NULL REFERENCES users (id),
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  -- suspended: no seat, data kept, may return.
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'suspended', 'left')),
  limits jsonb NOT NULL DEFAULT '{}',
  joined_at timestamptz NOT NULL DEFAULT now(),
  left_at timestamptz,
  heir_id integer REFERENCES users (id),
  used_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  CHECK ((state = 'left') = (left_at IS NOT NULL)),
  CHECK (role <> 'owner' OR state = 'active')
);
CREATE UNIQUE INDEX enterprise_members_once ON enterprise_members (enterprise_id, user_id) WHERE state <> 'left';
CREATE UNIQUE INDEX enterprise_members_one_owner ON enterprise_members (enterprise_id) WHERE role = 'owner' AND state = 'active';
CREATE INDEX enterprise_members_user ON enterprise_members (user_id, used_at DESC) WHERE state = 'active';
CREATE INDEX enterprise_members_list ON enterprise_members (enterprise_id, state, id);

-- Never without an owner: looked at when the transaction ends, so that a transfer may pass through that moment.
CREATE FUNCTION enterprise_has_owner() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  eid integer := coalesce(NEW.enterprise_id, OLD.enterprise_id);
BEGIN
  IF EXISTS (SELECT 1 FROM enterprises WHERE id = eid AND state <> 'deleted')
    AND NOT EXISTS (SELECT 1 FROM enterprise_members WHERE enterprise_id = eid AND role = 'owner' AND state = 'active')
  THEN
    RAISE EXCEPTION 'enterprise % has no owner', eid;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER enterprise_owner AFTER INSERT OR UPDATE OR DELETE ON enterprise_members
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION enterprise_has_owner();

CREATE TABLE enterprise_invites (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  enterprise_id integer NOT NULL REFERENCES enterprises (id),
  -- The link holds the code, the table its digest only.
  code_digest text NOT NULL UNIQUE,
  -- Sealed too, so that an admin can copy the link again.
  code_sealed text NOT NULL,
  -- Set where the invitation is for one phone.
  phone_digest text,
  phone_shown text,
  uses_left integer NOT NULL CHECK (uses_left >= 0),
  made_by integer NOT NULL REFERENCES users (id),
  ends_at timestamptz NOT NULL,
  withdrawn_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX enterprise_invites_list ON enterprise_invites (enterprise_id, id DESC);

CREATE TABLE ownership_transfers (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  enterprise_id integer NOT NULL REFERENCES enterprises (id),
  from_user integer NOT NULL REFERENCES users (id),
  to_user integer NOT NULL REFERENCES users (id),
  code_digest text NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'done', 'refused', 'cancelled', 'expired')),
  ends_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  decided_at timestamptz,
  CHECK (from_user <> to_user)
);
CREATE UNIQUE INDEX ownership_transfers_one ON ownership_transfers (enterprise_id) WHERE state = 'pending';

-- One bought or given block of seats a row; blocks may overlap; seats at an instant are the sum of those covering it.
CREATE TABLE seat_blocks (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  enterprise_id integer NOT NULL REFERENCES enterprises (id),
  seats integer NOT NULL CHECK (seats > 0),
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL CHECK (to_at > from_at),
  -- NULL: a trial or a grant of the desk.
  order_no text UNIQUE,
  source text NOT NULL CHECK (source IN ('order', 'trial', 'ops')),
  revoked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX seat_blocks_now ON seat_blocks (enterprise_id, to_at) WHERE revoked_at IS NULL;

-- What an enterprise seat order is for, beside the order itself.
CREATE TABLE seat_orders (
  order_no text PRIMARY KEY,
  enterprise_id integer NOT NULL REFERENCES enterprises (id),
  plan text NOT NULL CHECK (plan IN ('new', 'more', 'renewal')),
  seats integer NOT NULL CHECK (seats > 0),
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL CHECK (to_at > from_at)
);
