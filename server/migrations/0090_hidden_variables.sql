-- Variables that their owner has put out of sight in the variable list. They stand with a version like own folders.

ALTER TABLE variable_folders ADD COLUMN hidden jsonb NOT NULL DEFAULT '[]';
