-- 整卷报告: a project whose reports are the parts of one document on a questionnaire, made by one call.
CREATE TABLE survey_reports (
  project_id integer PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  vid integer NOT NULL,
  left_out jsonb NOT NULL,
  -- The run that starts the parts one after the other; the last one where it was taken up again.
  run_id integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX survey_reports_version ON survey_reports (vid);

CREATE TABLE survey_report_parts (
  project_id integer NOT NULL REFERENCES survey_reports ON DELETE CASCADE,
  place integer NOT NULL,
  section text NOT NULL,
  title text NOT NULL,
  path text NOT NULL,
  form jsonb NOT NULL,
  -- Left out of the document; the report stays.
  dropped boolean NOT NULL DEFAULT false,
  -- Its report, once it was started.
  rid integer,
  run_id integer,
  -- Why there is no result.
  trouble text,
  PRIMARY KEY (project_id, place)
);
