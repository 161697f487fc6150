-- What people did with the product, and the quests that thank them for it.

-- Written with the deed and applied afterwards: no reference and no check may make the deed fail or wait.
CREATE TABLE product_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL,
  kind text NOT NULL,
  -- What was done it to: the same twice counts once a day.
  subject text NOT NULL,
  method text,
  -- Example data, and what was done before quests existed: counts for `once` only.
  once_only boolean NOT NULL DEFAULT false,
  at timestamptz NOT NULL DEFAULT now(),
  applied_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX product_events_open ON product_events (user_id, id) WHERE applied_at IS NULL;
CREATE INDEX product_events_user ON product_events (user_id, kind, at);
CREATE INDEX product_events_at ON product_events (at);

CREATE TABLE quests (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code text NOT NULL CHECK (code ~ '^[a-z0-9-]{2,40}$'),
  version integer NOT NULL DEFAULT 1,
  title text NOT NULL,
  why text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('once', 'daily', 'weekly', 'streak', 'count')),
  event text NOT NULL CHECK (
    event IN ('phone_bound', 'file_imported', 'analysis_succeeded', 'report_exported', 'feedback_adopted', 'invite_qualified')
  ),
  -- What counts as another one: a subject a day, a method, a day.
  counts text NOT NULL DEFAULT 'subject' CHECK (counts IN ('subject', 'method', 'day')),
  target integer NOT NULL CHECK (target BETWEEN 1 AND 10000),
  bonus integer NOT NULL CHECK (bonus BETWEEN 1 AND 100000),
  -- Days of a streak's window.
  "window" integer CHECK ("window" BETWEEN 2 AND 366),
  -- Each hit is a record of its own, at most so many a calendar year.
  per_year integer CHECK (per_year BETWEEN 1 AND 366),
  starts_at timestamptz,
  ends_at timestamptz,
  audience text NOT NULL DEFAULT 'all' CHECK (audience IN ('all', 'standard', 'member')),
  action_url text NOT NULL,
  campaign_id integer REFERENCES campaigns (id),
  sort integer NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'on', 'off', 'replaced')),
  UNIQUE (code, version),
  CHECK ((kind = 'streak') = ("window" IS NOT NULL)),
  CHECK (kind <> 'streak' OR target <= "window"),
  CHECK (per_year IS NULL OR (kind = 'count' AND target = 1)),
  CHECK (ends_at > starts_at)
);
-- One version of a quest is the present one.
CREATE UNIQUE INDEX quests_present ON quests (code) WHERE state <> 'replaced';

CREATE TABLE quest_records (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The version it was begun under, which it keeps.
  quest_id integer NOT NULL REFERENCES quests (id),
  code text NOT NULL,
  user_id integer NOT NULL REFERENCES users (id),
  period_key text NOT NULL,
  -- End of its period; null: none.
  period_end timestamptz,
  progress integer NOT NULL DEFAULT 0,
  target integer NOT NULL,
  bonus integer NOT NULL,
  -- 0 going on, 1 to be claimed, 2 claimed, 3 looked at, 4 void.
  state smallint NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 4),
  held_reason text,
  completed_at timestamptz,
  accepted_at timestamptz,
  auto_credit_at timestamptz,
  entry_id bigint REFERENCES credit_entries (id),
  -- Of what was taken back, so much was spent already and stays with the person.
  shortfall integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  UNIQUE (code, user_id, period_key),
  CHECK (progress BETWEEN 0 AND target),
  CHECK (state NOT IN (1, 2) OR progress = target),
  CHECK (state <> 2 OR entry_id IS NOT NULL)
);
CREATE INDEX quest_records_user ON quest_records (user_id, state, id);
CREATE INDEX quest_records_auto ON quest_records (auto_credit_at) WHERE state = 1;
CREATE INDEX quest_records_held ON quest_records (id) WHERE state = 3;

CREATE TABLE quest_hits (
  record_id integer NOT NULL REFERENCES quest_records (id),
  event_key text NOT NULL,
  title text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (record_id, event_key)
);
CREATE INDEX quest_hits_key ON quest_hits (event_key);

-- Who was made on the same day, where a reward waits for a look.
CREATE INDEX users_created ON users (created_at);

-- What was done once before there were quests is not asked for again.
INSERT INTO product_events (user_id, kind, subject, once_only)
  SELECT id, 'phone_bound', phone_digest, true FROM users WHERE phone_digest IS NOT NULL AND removed_at IS NULL;
INSERT INTO product_events (user_id, kind, subject, once_only)
  SELECT DISTINCT owner_id, 'file_imported', 'before', true FROM files WHERE owner_kind = 'user' AND example IS NULL;
INSERT INTO product_events (user_id, kind, subject, once_only)
  SELECT DISTINCT owner_id, 'analysis_succeeded', 'before', true FROM reports WHERE owner_kind = 'user' AND rev > 0;
