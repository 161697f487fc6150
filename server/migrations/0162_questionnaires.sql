-- 问卷结构: dimensions of items with those that are reversed, matrix questions, background questions, as confirmed for
-- a version; NULL where nobody has.
ALTER TABLE versions ADD COLUMN questionnaire jsonb;
