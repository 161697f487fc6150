-- Own folders of the variable list. They stand with the version they were made on and hold for those made from it, until
-- these get their own. No step: they change nothing but the list.

CREATE TABLE variable_folders (
  vid integer PRIMARY KEY REFERENCES versions ON DELETE CASCADE,
  folders jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
