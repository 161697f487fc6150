-- Limits of control charts kept from a report under a name, to judge later data by. They are copies: the report may go.

CREATE TABLE control_limits (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  created_by integer,
  -- In an enterprise all members work with what one of them has kept.
  visibility text NOT NULL DEFAULT 'all',
  name text NOT NULL,
  -- Of the chart: its address and its title.
  path text NOT NULL,
  method text NOT NULL,
  -- What the limits rest on: centre, sigma, size of subgroups, as the engine gave it.
  rests_on jsonb NOT NULL,
  -- Where they come from: title and day of the report, what was measured.
  report text NOT NULL,
  made_at timestamptz NOT NULL,
  variable text NOT NULL,
  project_id integer NOT NULL,
  rid integer NOT NULL,
  rev integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX control_limits_name ON control_limits (owner_kind, owner_id, name);
