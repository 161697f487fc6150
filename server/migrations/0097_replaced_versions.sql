-- A list of steps that is run anew takes the place of the version shown until then; undo leads back to that one. What is
-- made on the way to the end of such a list is passed through: nothing leads there by itself.
ALTER TABLE versions ADD COLUMN replaces integer REFERENCES versions ON DELETE SET NULL;
ALTER TABLE versions ADD COLUMN passing boolean NOT NULL DEFAULT false;
CREATE INDEX versions_replaces ON versions (replaces) WHERE replaces IS NOT NULL;
