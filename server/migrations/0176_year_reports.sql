-- Year-end reports: made only after a consent of its own, counted from the person's own work, gone with the withdrawal.
CREATE TABLE year_reports (
  user_id integer NOT NULL REFERENCES users (id),
  year integer NOT NULL CHECK (year BETWEEN 2000 AND 2999),
  consent_at timestamptz NOT NULL,
  -- NULL: consented, not counted yet.
  numbers jsonb,
  range_from timestamptz,
  range_to timestamptz,
  -- Of the rules by which it was counted.
  method_version integer,
  PRIMARY KEY (user_id, year),
  CHECK ((numbers IS NULL) = (range_from IS NULL)),
  CHECK ((numbers IS NULL) = (range_to IS NULL)),
  CHECK ((numbers IS NULL) = (method_version IS NULL))
);
CREATE INDEX year_reports_year ON year_reports (year);
