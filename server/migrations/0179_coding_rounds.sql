-- 双人编码: a sample of coded answers, coded once more by somebody who sees texts and code book only.

CREATE TABLE coding_rounds (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  coding_id integer NOT NULL REFERENCES answer_codings ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('invited', 'self')),
  -- Digest of the code in the link; the link itself is derived and stored nowhere.
  digest text UNIQUE,
  -- Who codes; NULL until somebody opens the link.
  coder integer,
  seed integer NOT NULL,
  -- The code book both coders worked by.
  book jsonb NOT NULL,
  book_version integer NOT NULL,
  created_by integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE INDEX coding_rounds_coding ON coding_rounds (coding_id, id);

-- `first`: as they were when the sample was drawn; `settled`: what both agreed on afterwards.
CREATE TABLE coding_round_answers (
  round_id integer NOT NULL REFERENCES coding_rounds ON DELETE CASCADE,
  place integer NOT NULL,
  at integer NOT NULL,
  text text NOT NULL,
  first integer[] NOT NULL,
  second integer[],
  settled integer[],
  PRIMARY KEY (round_id, place)
);
