-- Servers that work on this database at this moment. A lease runs out by the database's clock unless its server renews it.
CREATE TABLE servers (
  id uuid PRIMARY KEY,
  -- Machine and process, for people and for a later server on the same machine.
  machine text NOT NULL,
  pid integer NOT NULL,
  started text NOT NULL,
  -- Counts the renewals: a lease that looks over is only over when this stands still too.
  beats integer NOT NULL DEFAULT 0,
  begun_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz NOT NULL
);

-- Which server works on a run; that server alone may call it lost. Null: begun before there were leases.
ALTER TABLE runs ADD COLUMN server_id uuid;
-- 停止并保留, asked at another server than the one that works on it.
ALTER TABLE runs ADD COLUMN stop_wanted boolean NOT NULL DEFAULT false;
ALTER TABLE account_exports ADD COLUMN server_id uuid;

-- Which installation this database is. Its folder of tables carries the same number.
CREATE TABLE installation (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- Since when a folder carries the number.
  bound_at timestamptz
);
