-- Net promoter score: who was asked when and what became of it, and what was answered.
CREATE TABLE nps_prompts (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id),
  -- 2026Q4. Answers come at most every 180 days, so that nobody answers twice in one.
  survey text NOT NULL,
  token_digest text NOT NULL UNIQUE,
  shown_at timestamptz NOT NULL,
  -- NULL: shown, and the page was left without a word.
  outcome text CHECK (outcome IN ('answer', 'close', 'later', 'never')),
  edition text NOT NULL CHECK (edition IN ('standard', 'member', 'enterprise'))
);
CREATE INDEX nps_prompts_user ON nps_prompts (user_id, shown_at DESC);
CREATE INDEX nps_prompts_shown ON nps_prompts (shown_at);

CREATE TABLE nps_answers (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  prompt_id integer NOT NULL UNIQUE REFERENCES nps_prompts ON DELETE CASCADE,
  survey text NOT NULL,
  user_id integer NOT NULL REFERENCES users (id),
  score integer NOT NULL CHECK (score BETWEEN 0 AND 10),
  comment text NOT NULL DEFAULT '' CHECK (char_length(comment) <= 1000),
  contact_ok boolean NOT NULL DEFAULT false,
  page text NOT NULL DEFAULT '' CHECK (char_length(page) <= 300),
  app_version text NOT NULL DEFAULT '' CHECK (char_length(app_version) <= 40),
  edition text NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (survey, user_id)
);
CREATE INDEX nps_answers_at ON nps_answers (created_at);
CREATE INDEX nps_answers_user ON nps_answers (user_id);
