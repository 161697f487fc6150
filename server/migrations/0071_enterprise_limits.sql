-- What holds for every enterprise, changed at the operator's desk. One row, or none while nothing was changed.
CREATE TABLE enterprise_limits (
  id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  seat_bytes bigint NOT NULL DEFAULT 20000000000 CHECK (seat_bytes > 0),
  -- Runs of one member that work at once, and that wait.
  member_runs integer NOT NULL DEFAULT 2 CHECK (member_runs > 0),
  member_waiting integer NOT NULL DEFAULT 20 CHECK (member_waiting > 0),
  -- Runs of a whole enterprise that work at once: so many for each seat, and no more than that.
  seat_runs integer NOT NULL DEFAULT 4 CHECK (seat_runs > 0),
  runs_max integer NOT NULL DEFAULT 40 CHECK (runs_max > 0),
  trial_days integer NOT NULL DEFAULT 14 CHECK (trial_days > 0),
  trial_seats integer NOT NULL DEFAULT 5 CHECK (trial_seats > 0),
  -- Trials wait for the desk.
  trial_review boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1
);

ALTER TABLE enterprise_trials
  ADD COLUMN state text NOT NULL DEFAULT 'granted' CHECK (state IN ('waiting', 'granted', 'refused')),
  ADD COLUMN reason text;
CREATE INDEX enterprise_trials_enterprise ON enterprise_trials (enterprise_id);

ALTER TABLE enterprises
  -- Frozen by the desk, whatever the term says.
  ADD COLUMN held_at timestamptz,
  ADD COLUMN held_reason text,
  -- Share of the storage (80, 100) that has been told; 0 while there is room.
  ADD COLUMN storage_told integer NOT NULL DEFAULT 0;

-- The paper beside an order of seats.
CREATE TABLE contracts (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  enterprise_id integer NOT NULL REFERENCES enterprises (id),
  order_no text NOT NULL UNIQUE,
  template_version text NOT NULL,
  -- Signed copy; NULL while it is a draft.
  proof_id integer,
  state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'signed', 'archived')),
  signed_at timestamptz,
  archived_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((state = 'draft') = (proof_id IS NULL))
);
CREATE INDEX contracts_enterprise ON contracts (enterprise_id, id DESC);

ALTER TABLE proofs DROP CONSTRAINT proofs_purpose_check;
ALTER TABLE proofs ADD CONSTRAINT proofs_purpose_check CHECK (purpose IN ('edu', 'transfer', 'contract'));
