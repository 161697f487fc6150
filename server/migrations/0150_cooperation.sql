-- 商务合作: who wants to work with us, from visitors. Kept two years.
CREATE TABLE cooperation_leads (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- What the sender is told: C261127-K3Q7.
  number text NOT NULL UNIQUE,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 20),
  company text NOT NULL CHECK (char_length(company) <= 50),
  phone text,
  mail text,
  topic text NOT NULL CHECK (topic IN ('enterprise', 'school', 'channel', 'course', 'api', 'other')),
  text text NOT NULL CHECK (char_length(text) BETWEEN 10 AND 500),
  -- Campaign the visit came from, as the page had it.
  source text CHECK (char_length(source) <= 100),
  device_id text NOT NULL,
  net_digest text NOT NULL,
  -- Digests of phone and mail: three a day of each.
  contacts text[] NOT NULL,
  -- Made by the page: sending twice is one lead.
  request_id text NOT NULL,
  state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'working', 'done', 'declined')),
  note text NOT NULL DEFAULT '' CHECK (char_length(note) <= 1000),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (device_id, request_id),
  CHECK (phone IS NOT NULL OR mail IS NOT NULL)
);
CREATE INDEX cooperation_leads_state ON cooperation_leads (state, id DESC);
CREATE INDEX cooperation_leads_at ON cooperation_leads (created_at);
