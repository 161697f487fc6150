-- 意见反馈: what people tell us, what was answered, and pictures of what they saw.

CREATE TABLE feedback (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id),
  type text NOT NULL CHECK (type IN ('idea', 'fault', 'result', 'other')),
  contact text,
  -- What the person left ticked: page, browser, number of the last call that failed. Never data.
  context jsonb NOT NULL DEFAULT '{}',
  -- Made by the page: sending twice is one feedback.
  request_id text NOT NULL,
  state text NOT NULL DEFAULT 'sent' CHECK (state IN ('sent', 'working', 'answered', 'solved', 'declined')),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  closed_at timestamptz,
  UNIQUE (user_id, request_id),
  CHECK ((state IN ('solved', 'declined')) = (closed_at IS NOT NULL))
);
CREATE INDEX feedback_user ON feedback (user_id, id DESC);
CREATE INDEX feedback_state ON feedback (state, id DESC);

CREATE TABLE feedback_messages (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  feedback_id integer NOT NULL REFERENCES feedback ON DELETE CASCADE,
  by text NOT NULL CHECK (by IN ('person', 'desk')),
  text text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX feedback_messages_feedback ON feedback_messages (feedback_id, id);

CREATE TABLE feedback_images (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id),
  -- NULL until the feedback it belongs to has been sent; forgotten within a day without one.
  feedback_id integer REFERENCES feedback ON DELETE CASCADE,
  jpeg bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX feedback_images_feedback ON feedback_images (feedback_id);
CREATE INDEX feedback_images_loose ON feedback_images (user_id, created_at);
