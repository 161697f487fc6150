-- 文本编码: answers in words of one column, and the codes people give them. Whose a coding is follows from its file.

CREATE TABLE answer_codings (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fid integer NOT NULL REFERENCES files ON DELETE CASCADE,
  -- The version the answers were read from; gone with it, the coding stays but cannot be written back.
  vid integer REFERENCES versions ON DELETE SET NULL,
  column_id text NOT NULL,
  question text NOT NULL,
  masked boolean NOT NULL,
  total integer NOT NULL,
  answered integer NOT NULL,
  covered integer NOT NULL,
  characters integer NOT NULL,
  book jsonb NOT NULL,
  book_version integer NOT NULL DEFAULT 1,
  -- The number of the next code: a code that was taken out never comes back as another one.
  next_code integer NOT NULL,
  suggested jsonb,
  written jsonb,
  created_by integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX answer_codings_file ON answer_codings (fid);
CREATE INDEX answer_codings_version ON answer_codings (vid);

-- Each different answer once. `codes` enter the data; of these `by_hand` came without a suggestion.
CREATE TABLE coded_answers (
  coding_id integer NOT NULL REFERENCES answer_codings ON DELETE CASCADE,
  at integer NOT NULL,
  text text NOT NULL,
  rows integer NOT NULL,
  first_row integer NOT NULL,
  codes integer[] NOT NULL DEFAULT '{}',
  by_hand integer[] NOT NULL DEFAULT '{}',
  rejected integer[] NOT NULL DEFAULT '{}',
  suggested integer[] NOT NULL DEFAULT '{}',
  -- Along `suggested`; 1 by a rule.
  likely real[] NOT NULL DEFAULT '{}',
  version integer NOT NULL DEFAULT 0,
  changed_by integer,
  changed_at timestamptz,
  PRIMARY KEY (coding_id, at)
);

-- What was done, for undoing and for the share of suggestions taken as they were. `before`, `after`: the answers it
-- changed; NULL where it is too long ago to be undone.
CREATE TABLE coding_acts (
  coding_id integer NOT NULL REFERENCES answer_codings ON DELETE CASCADE,
  number integer NOT NULL,
  user_id integer,
  kind text NOT NULL CHECK (kind IN ('marks', 'accept', 'merge', 'settle')),
  title text NOT NULL,
  marks integer NOT NULL,
  before jsonb,
  after jsonb,
  undone boolean NOT NULL DEFAULT false,
  made_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (coding_id, number)
);
