-- What readers say of a help page: whether it helped, and why not. Nobody signs in for it; the network is a digest.
CREATE TABLE help_feedback (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  slug text NOT NULL CHECK (char_length(slug) BETWEEN 1 AND 100),
  -- The version of the method whose page was read.
  version text NOT NULL CHECK (char_length(version) BETWEEN 1 AND 20),
  verdict text NOT NULL CHECK (verdict IN ('yes', 'no')),
  reason text CHECK (reason IN ('unclear', 'differs', 'wrong', 'lacking')),
  text text NOT NULL DEFAULT '' CHECK (char_length(text) <= 300),
  net_digest text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (verdict = 'no' OR reason IS NULL)
);
CREATE INDEX help_feedback_net ON help_feedback (net_digest, created_at);
CREATE INDEX help_feedback_slug ON help_feedback (slug, created_at DESC);
