-- Ways to sign in beside the phone, offered sessions, step-up, leaving, consent, exports of an account, own events.

ALTER TABLE users
  ADD COLUMN analytics_consent boolean NOT NULL DEFAULT false,
  -- Asked to leave; may come back for seven days, then everything personal is removed.
  ADD COLUMN leaving_at timestamptz,
  ADD COLUMN removed_at timestamptz;
CREATE INDEX users_leaving ON users (leaving_at) WHERE leaving_at IS NOT NULL AND removed_at IS NULL;

-- The person behind an account of a provider. The provider's number is digested: it is only ever looked up.
CREATE TABLE identity_links (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider text NOT NULL CHECK (provider IN ('wechat', 'research', 'academic')),
  subject_digest text NOT NULL,
  user_id integer NOT NULL REFERENCES users (id),
  linked_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider, subject_digest),
  UNIQUE (user_id, provider)
);

-- Where a person holds several channels, a session is offered for each: it becomes live at its first call.
ALTER TABLE sessions
  ADD COLUMN offered_until timestamptz,
  -- The last fresh proof (step-up) of the person behind this session.
  ADD COLUMN proved_at timestamptz;
DROP INDEX sessions_one_live;
CREATE UNIQUE INDEX sessions_one_live ON sessions (user_id, platform) WHERE ended_at IS NULL AND offered_until IS NULL;
CREATE INDEX sessions_offered ON sessions (offered_until) WHERE offered_until IS NOT NULL;

-- One QR code on one screen: `ticket` stands in the code, `scene` only on the waiting page.
CREATE TABLE wechat_tickets (
  ticket_digest text PRIMARY KEY,
  scene_digest text NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'scanned', 'confirmed', 'refused', 'used')),
  -- The phone that scanned: only it may confirm.
  phone_digest text,
  subject_digest text,
  nickname text,
  -- What the scan page tells about the waiting browser.
  agent text NOT NULL,
  net_shown text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz NOT NULL
);
CREATE INDEX wechat_tickets_age ON wechat_tickets (created_at);

-- A visit to a provider that has begun here: once, ten minutes, for the browser that began.
CREATE TABLE oauth_flows (
  state_digest text PRIMARY KEY,
  provider text NOT NULL,
  flow_digest text NOT NULL,
  return_to text,
  utm_source text,
  -- What the visit is about (the QR ticket of a phone that signs in at WeChat).
  about text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX oauth_flows_age ON oauth_flows (created_at);

-- Promises that one more click redeems: restoring a leaving account, merging an empty one. Once, ten minutes, one device.
CREATE TABLE account_tickets (
  ticket_digest text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('restore', 'merge')),
  -- The account that goes on, and for a merge the empty one that ends in it.
  user_id integer NOT NULL REFERENCES users (id),
  other_id integer REFERENCES users (id),
  device_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

ALTER TABLE handoffs ADD COLUMN lucky boolean NOT NULL DEFAULT false;

CREATE TABLE account_exports (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  user_id integer NOT NULL REFERENCES users (id),
  state text NOT NULL CHECK (state IN ('working', 'done', 'failed')),
  done integer NOT NULL DEFAULT 0,
  total integer NOT NULL DEFAULT 0,
  file_key text,
  size bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE UNIQUE INDEX account_exports_one ON account_exports (owner_kind, owner_id) WHERE state = 'working';
CREATE INDEX account_exports_owner ON account_exports (owner_kind, owner_id, id);

-- Use of the product by people who agreed to it. No third party ever sees this.
CREATE TABLE events (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id),
  name text NOT NULL,
  path text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX events_age ON events (at);
