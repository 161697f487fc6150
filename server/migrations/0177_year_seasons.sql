-- When the report of a year is open, where the desk set it; without a row: 16 December to 31 January of Shanghai.
CREATE TABLE year_seasons (
  year integer PRIMARY KEY CHECK (year BETWEEN 2000 AND 2999),
  opens_at timestamptz NOT NULL,
  closes_at timestamptz NOT NULL,
  is_on boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK (closes_at > opens_at)
);
