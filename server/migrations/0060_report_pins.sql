-- Numbers a person pinned, for each project: shown beside its reports, seen by nobody else.
CREATE TABLE report_pins (
  user_id integer NOT NULL,
  project_id integer NOT NULL,
  pins jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, project_id)
);
