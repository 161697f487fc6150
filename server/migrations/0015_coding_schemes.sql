-- 编码方案: named rules of recoding, kept to be used on other variables and other files.

CREATE TABLE coding_schemes (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  name text NOT NULL,
  rules jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (owner_kind, owner_id, name)
);
