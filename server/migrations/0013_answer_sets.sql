-- Multiple-answer questions of a version: one question, one column per option.

ALTER TABLE versions ADD COLUMN sets jsonb NOT NULL DEFAULT '[]';
