-- 专家问卷: Delphi and AHP questionnaires. Answers carry an expert's number; names lie in a table of their own.

CREATE TABLE expert_projects (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  created_by integer,
  visibility text NOT NULL DEFAULT 'private',
  kind text NOT NULL CHECK (kind IN ('delphi', 'ahp')),
  title text NOT NULL,
  state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'collecting', 'between', 'finished')),
  content jsonb NOT NULL,
  -- Counts every change, so that two tabs do not overwrite each other.
  revision integer NOT NULL DEFAULT 1,
  -- The frozen content that is asked by; 0 before the first round.
  version integer NOT NULL DEFAULT 0,
  round integer NOT NULL DEFAULT 0,
  -- Digest of the public link; NULL while there is none.
  public_digest text UNIQUE,
  public_serial integer NOT NULL DEFAULT 0,
  -- The file in 我的数据 the answers were last sent to.
  fid integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX expert_projects_owner ON expert_projects (owner_kind, owner_id, id DESC) WHERE deleted_at IS NULL;

-- What was frozen when, and why it was changed afterwards.
CREATE TABLE expert_versions (
  project_id integer NOT NULL REFERENCES expert_projects ON DELETE CASCADE,
  number integer NOT NULL,
  content jsonb NOT NULL,
  reason text NOT NULL,
  frozen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, number)
);

CREATE TABLE expert_rounds (
  project_id integer NOT NULL REFERENCES expert_projects ON DELETE CASCADE,
  number integer NOT NULL,
  version integer NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
  -- Ids of the items asked; empty for AHP, where everything is.
  items jsonb NOT NULL,
  -- What this round shows of the one before: frozen when that one closed.
  feedback jsonb NOT NULL,
  decisions jsonb NOT NULL DEFAULT '{}',
  invited integer NOT NULL,
  opened_at timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz NOT NULL,
  closed_at timestamptz,
  PRIMARY KEY (project_id, number)
);

CREATE TABLE expert_people (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES expert_projects ON DELETE CASCADE,
  number integer NOT NULL,
  channel text NOT NULL CHECK (channel IN ('personal', 'public')),
  -- Digest of the link; the link itself is derived and stored nowhere.
  digest text UNIQUE,
  serial integer NOT NULL DEFAULT 1,
  opened_at timestamptz,
  consented_at timestamptz,
  withdrawn_at timestamptz,
  UNIQUE (project_id, number)
);

CREATE TABLE expert_contacts (
  expert_id integer PRIMARY KEY REFERENCES expert_people ON DELETE CASCADE,
  name text NOT NULL
);

CREATE TABLE expert_sheets (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL,
  round integer NOT NULL,
  expert_id integer NOT NULL REFERENCES expert_people ON DELETE CASCADE,
  started_at timestamptz NOT NULL DEFAULT now(),
  saved_at timestamptz NOT NULL DEFAULT now(),
  submitted_at timestamptz,
  is_late boolean NOT NULL DEFAULT false,
  UNIQUE (project_id, round, expert_id),
  FOREIGN KEY (project_id, round) REFERENCES expert_rounds ON DELETE CASCADE
);
CREATE INDEX expert_sheets_expert ON expert_sheets (expert_id);

-- Every answer ever given: the highest revision counts.
CREATE TABLE expert_answers (
  sheet_id integer NOT NULL REFERENCES expert_sheets ON DELETE CASCADE,
  key text NOT NULL,
  revision integer NOT NULL,
  value jsonb NOT NULL,
  saved_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (sheet_id, key, revision)
);
