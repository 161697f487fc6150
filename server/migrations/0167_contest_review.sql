-- 数据分析大赛: judges, their scores, results frozen at the publication.
CREATE TABLE contest_judges (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  contest_id integer NOT NULL REFERENCES contests,
  user_id integer NOT NULL REFERENCES users (id),
  name text NOT NULL,
  school text NOT NULL,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  UNIQUE (contest_id, user_id)
);
CREATE INDEX contest_judges_user ON contest_judges (user_id);

CREATE TABLE contest_assignments (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  contest_id integer NOT NULL REFERENCES contests,
  submission_id integer NOT NULL REFERENCES contest_submissions,
  judge_id integer NOT NULL REFERENCES contest_judges,
  -- Scored by every judge, before all others.
  is_calibration boolean NOT NULL DEFAULT false,
  assigned_at timestamptz NOT NULL,
  -- Given up: a conflict that the judge declared, or taken back at the desk.
  dropped_at timestamptz,
  drop_reason text,
  UNIQUE (submission_id, judge_id)
);
CREATE INDEX contest_assignments_judge ON contest_assignments (judge_id);
CREATE INDEX contest_assignments_contest ON contest_assignments (contest_id);

CREATE TABLE contest_reviews (
  assignment_id integer PRIMARY KEY REFERENCES contest_assignments,
  -- Points of the five parts of the rubric, in its order.
  parts integer[] NOT NULL CHECK (array_length(parts, 1) = 5),
  comment text NOT NULL CHECK (char_length(comment) <= 2000),
  saved_at timestamptz NOT NULL,
  locked_at timestamptz
);

-- What is locked stays as it is, whoever asks.
CREATE FUNCTION contest_review_locked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.locked_at IS NOT NULL THEN
    RAISE EXCEPTION 'the review of assignment % is locked', OLD.assignment_id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER contest_reviews_locked BEFORE UPDATE ON contest_reviews
  FOR EACH ROW EXECUTE FUNCTION contest_review_locked();

CREATE TABLE contest_results (
  submission_id integer PRIMARY KEY REFERENCES contest_submissions,
  contest_id integer NOT NULL REFERENCES contests,
  team_id integer NOT NULL REFERENCES contest_teams,
  n integer NOT NULL,
  raw double precision NOT NULL,
  adjusted double precision NOT NULL,
  se double precision,
  rank integer NOT NULL,
  award text,
  -- model: scores without the judges' severity; mean: too few papers or judges for it.
  method text NOT NULL CHECK (method IN ('model', 'mean')),
  method_version integer NOT NULL,
  -- Effect of each judge of this paper, by the order of the assignments; NULL with means.
  judge_effects double precision[],
  -- By an appeal that was upheld; '' takes the award away.
  corrected_award text,
  disqualified boolean NOT NULL DEFAULT false
);
CREATE INDEX contest_results_contest ON contest_results (contest_id, rank);
CREATE INDEX contest_results_team ON contest_results (team_id);

-- Frozen: only an appeal changes the award, beside what was published.
CREATE FUNCTION contest_results_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.submission_id, NEW.team_id, NEW.n, NEW.raw, NEW.adjusted, NEW.se, NEW.rank, NEW.award, NEW.method,
      NEW.method_version, NEW.judge_effects)
    IS DISTINCT FROM
     (OLD.submission_id, OLD.team_id, OLD.n, OLD.raw, OLD.adjusted, OLD.se, OLD.rank, OLD.award, OLD.method,
      OLD.method_version, OLD.judge_effects)
  THEN
    RAISE EXCEPTION 'the result of submission % is frozen', OLD.submission_id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER contest_results_frozen BEFORE UPDATE ON contest_results
  FOR EACH ROW EXECUTE FUNCTION contest_results_frozen();
