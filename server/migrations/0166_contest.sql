-- 数据分析大赛: seasons, who takes part, teams and their works.
CREATE TABLE contests (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Begins every receipt and certificate: HX26.
  code text NOT NULL UNIQUE CHECK (code ~ '^[A-Z]{2}[0-9]{2}$'),
  title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 60),
  summary text NOT NULL DEFAULT '',
  rules text NOT NULL DEFAULT '',
  rules_version integer NOT NULL DEFAULT 1,
  problems text NOT NULL DEFAULT '',
  -- The awards from the first down: [{award, places, kind, value}].
  prizes jsonb NOT NULL DEFAULT '[]',
  signup_from timestamptz NOT NULL,
  signup_to timestamptz NOT NULL,
  answer_from timestamptz NOT NULL,
  answer_to timestamptz NOT NULL,
  -- When results are planned to be published; they come when two operators publish them.
  results_at timestamptz NOT NULL,
  -- NULL: being prepared, shown to nobody.
  opened_at timestamptz,
  -- Teams ever made: their numbers are never given twice.
  team_count integer NOT NULL DEFAULT 0,
  -- Of the draw of judges, so that it can be repeated.
  seed integer,
  assigned_at timestamptz,
  published_at timestamptz,
  -- Both operators of the publication: neither decides on appeals.
  published_by integer[],
  settled_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (signup_from < signup_to AND signup_to <= answer_from AND answer_from < answer_to AND answer_to < results_at),
  CHECK (published_at IS NULL OR assigned_at IS NOT NULL),
  CHECK (settled_at IS NULL OR published_at IS NOT NULL)
);

-- Corrections, answered questions and postponements, with their times.
CREATE TABLE contest_notices (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  contest_id integer NOT NULL REFERENCES contests,
  kind text NOT NULL CHECK (kind IN ('correction', 'answer', 'postponed')),
  text text NOT NULL CHECK (char_length(text) BETWEEN 1 AND 2000),
  at timestamptz NOT NULL
);
CREATE INDEX contest_notices_list ON contest_notices (contest_id, id DESC);

-- What comes with the problems.
CREATE TABLE contest_files (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  contest_id integer NOT NULL REFERENCES contests,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
  content text NOT NULL,
  size integer NOT NULL,
  sha256 text NOT NULL,
  UNIQUE (contest_id, name)
);

CREATE TABLE contest_teams (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  contest_id integer NOT NULL REFERENCES contests,
  number integer NOT NULL CHECK (number > 0),
  name text NOT NULL CHECK (char_length(name) BETWEEN 2 AND 20),
  -- Whoever knows it may join.
  code text NOT NULL UNIQUE,
  captain_id integer NOT NULL REFERENCES users (id),
  tutor_sealed text,
  tutor_school_sealed text,
  -- What judges see instead of the number; drawn with the judges.
  alias integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (contest_id, number),
  UNIQUE (contest_id, alias)
);
CREATE UNIQUE INDEX contest_teams_name ON contest_teams (contest_id, lower(name));

-- A person is registered once and in one team at most.
CREATE TABLE contest_people (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  contest_id integer NOT NULL REFERENCES contests,
  user_id integer NOT NULL REFERENCES users (id),
  team_id integer REFERENCES contest_teams,
  name_sealed text NOT NULL,
  school_sealed text NOT NULL,
  -- The version of the rules that was agreed to.
  rules_version integer NOT NULL,
  source text CHECK (char_length(source) <= 100),
  created_at timestamptz NOT NULL,
  UNIQUE (contest_id, user_id)
);
CREATE INDEX contest_people_team ON contest_people (team_id);
CREATE INDEX contest_people_user ON contest_people (user_id);

CREATE TABLE contest_uploads (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  contest_id integer NOT NULL REFERENCES contests,
  team_id integer NOT NULL REFERENCES contest_teams ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id),
  kind text NOT NULL CHECK (kind IN ('report', 'support')),
  key text NOT NULL UNIQUE,
  name text NOT NULL,
  size bigint NOT NULL CHECK (size > 0),
  received bigint NOT NULL DEFAULT 0 CHECK (received BETWEEN 0 AND size),
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'complete', 'refused')),
  -- Why it was refused, in words.
  reason text,
  pages integer,
  opened_at timestamptz NOT NULL,
  touched_at timestamptz NOT NULL
);
CREATE INDEX contest_uploads_team ON contest_uploads (team_id);

CREATE TABLE contest_submissions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  contest_id integer NOT NULL REFERENCES contests,
  team_id integer NOT NULL REFERENCES contest_teams ON DELETE CASCADE,
  no integer NOT NULL CHECK (no > 0),
  user_id integer NOT NULL REFERENCES users (id),
  request_id text NOT NULL,
  report_id integer NOT NULL UNIQUE REFERENCES contest_uploads,
  support_id integer UNIQUE REFERENCES contest_uploads,
  -- waiting: called in time, its files are still arriving.
  state text NOT NULL CHECK (state IN ('waiting', 'submitted', 'refused', 'withdrawn')),
  reason text,
  -- Arrival of the call: what the deadline is held against.
  arrived_at timestamptz NOT NULL,
  completed_at timestamptz,
  -- Its files came within the ten minutes after the deadline.
  in_grace boolean NOT NULL DEFAULT false,
  UNIQUE (team_id, no),
  UNIQUE (team_id, request_id),
  CHECK ((state = 'submitted') = (completed_at IS NOT NULL))
);
CREATE INDEX contest_submissions_contest ON contest_submissions (contest_id, state);
