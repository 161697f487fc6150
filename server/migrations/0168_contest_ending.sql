-- 数据分析大赛: appeals, prizes, certificates.
CREATE TABLE contest_appeals (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  contest_id integer NOT NULL REFERENCES contests,
  team_id integer NOT NULL REFERENCES contest_teams,
  user_id integer NOT NULL REFERENCES users (id),
  kind text NOT NULL CHECK (kind IN ('score', 'qualification', 'similarity')),
  text text NOT NULL CHECK (char_length(text) <= 1000),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'upheld', 'rejected', 'withdrawn')),
  answer text CHECK (char_length(answer) <= 1000),
  decided_by integer,
  decided_at timestamptz,
  created_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX contest_appeals_one_open ON contest_appeals (team_id) WHERE state = 'open';
CREATE INDEX contest_appeals_list ON contest_appeals (contest_id, id DESC);

-- Given once to each member of a team, whatever is asked for again.
CREATE TABLE contest_prizes (
  contest_id integer NOT NULL REFERENCES contests,
  user_id integer NOT NULL REFERENCES users (id),
  team_id integer NOT NULL REFERENCES contest_teams,
  award text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('credits', 'vip_days')),
  value integer NOT NULL CHECK (value > 0),
  given_at timestamptz NOT NULL,
  PRIMARY KEY (contest_id, user_id)
);

CREATE TABLE contest_certificates (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  contest_id integer NOT NULL REFERENCES contests,
  team_id integer NOT NULL REFERENCES contest_teams,
  user_id integer NOT NULL REFERENCES users (id),
  code text NOT NULL UNIQUE,
  -- NULL: whose it was is no longer here.
  name_sealed text,
  team_name text NOT NULL,
  award text NOT NULL,
  state text NOT NULL DEFAULT 'valid' CHECK (state IN ('valid', 'revoked', 'replaced')),
  replaced_by integer REFERENCES contest_certificates,
  -- Of the file, from the first time it is printed.
  key text UNIQUE,
  sha256 text,
  issued_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX contest_certificates_valid ON contest_certificates (contest_id, user_id) WHERE state = 'valid';
CREATE INDEX contest_certificates_user ON contest_certificates (user_id);
