-- The first analysis that an unlock allowed: from then on it is used and no longer given back.
ALTER TABLE method_unlocks ADD COLUMN used_at timestamptz;
