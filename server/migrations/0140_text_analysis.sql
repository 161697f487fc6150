-- Text analysis: a user's dictionaries with their versions, pictures for word clouds, and the queue a run belongs to.

CREATE TABLE text_dictionaries (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  created_by integer,
  visibility text NOT NULL DEFAULT 'all',
  kind text NOT NULL CHECK (kind IN ('words', 'stopwords', 'synonyms', 'lexicon', 'labels')),
  name text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  lines jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (owner_kind, owner_id, kind, name)
);

CREATE TABLE text_pictures (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  created_by integer,
  visibility text NOT NULL DEFAULT 'private',
  mime text NOT NULL,
  -- Bytes as they were sent; kept is a jpeg drawn anew.
  size integer NOT NULL,
  jpeg bytea NOT NULL,
  -- What is dark or opaque: rows of 1 and 0, from the top.
  shape jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX text_pictures_owner ON text_pictures (owner_kind, owner_id, id DESC);

-- Of a queue with one place a person ('text') only one run works at a time. NULL: the common one.
ALTER TABLE runs ADD COLUMN queue text;
CREATE INDEX runs_open_queue ON runs (owner_kind, owner_id, user_id) WHERE queue IS NOT NULL AND ended_at IS NULL;
