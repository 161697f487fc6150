-- A run whose work died with the engine may be begun once more; this one has been.

ALTER TABLE runs ADD COLUMN repeated boolean NOT NULL DEFAULT false;
