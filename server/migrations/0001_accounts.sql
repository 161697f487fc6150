-- People, sessions, phone codes, captchas, hand-off tickets, repeated writes.

CREATE TABLE users (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  nickname text NOT NULL CHECK (char_length(nickname) BETWEEN 1 AND 20),
  avatar text,
  -- AES-256-GCM; looked up by the keyed digest.
  phone_sealed text,
  phone_digest text UNIQUE,
  fill_nan_adjusted integer NOT NULL DEFAULT 0 CHECK (fill_nan_adjusted IN (0, 1)),
  utm_source text,
  -- The marked account of the sandbox that visitors share.
  is_demo boolean NOT NULL DEFAULT false,
  banned_at timestamptz,
  ban_reason text,
  -- NULL with banned_at set: without end.
  ban_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((phone_sealed IS NULL) = (phone_digest IS NULL))
);

CREATE UNIQUE INDEX users_one_demo ON users (is_demo) WHERE is_demo;

CREATE TABLE avatars (
  key text PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id),
  png bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE sessions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id),
  enterprise_id integer,
  -- The channel: pri, or co-{enterprise_id}; every visitor of the demo account has one of their own.
  platform text NOT NULL,
  device_id text NOT NULL,
  -- Network of the sign-in (address or /56), digested: enough to count networks.
  net_digest text NOT NULL,
  net_shown text NOT NULL,
  agent text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz NOT NULL,
  ended_at timestamptz,
  ended_reason text CHECK (ended_reason IN ('replaced', 'logout', 'banned', 'phone', 'left', 'device', 'operator')),
  CHECK ((ended_at IS NULL) = (ended_reason IS NULL))
);
CREATE UNIQUE INDEX sessions_one_live ON sessions (user_id, platform) WHERE ended_at IS NULL;
CREATE INDEX sessions_recent ON sessions (user_id, created_at);

CREATE TABLE sms_codes (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  purpose text NOT NULL,
  phone_digest text NOT NULL,
  verify_key text NOT NULL UNIQUE,
  code_digest text NOT NULL,
  net_digest text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  sent_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX sms_codes_phone ON sms_codes (phone_digest, sent_at);
CREATE INDEX sms_codes_net ON sms_codes (net_digest, sent_at);
CREATE INDEX sms_codes_sent ON sms_codes (sent_at);

CREATE TABLE wrong_codes (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  phone_digest text NOT NULL,
  net_digest text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX wrong_codes_phone ON wrong_codes (phone_digest, net_digest, at);
CREATE INDEX wrong_codes_net ON wrong_codes (net_digest, at);

CREATE TABLE captcha_puzzles (
  id text PRIMARY KEY,
  x integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE captcha_tickets (
  ticket_digest text PRIMARY KEY,
  device_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE captcha_passes (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('slider', 'fallback', 'sandbox')),
  phone_digest text NOT NULL,
  -- NULL: any device (sandbox ticket, for scripts without cookies).
  device_id text,
  net_digest text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz
);
CREATE INDEX captcha_passes_phone ON captcha_passes (phone_digest, created_at);
CREATE INDEX captcha_passes_kind ON captcha_passes (kind, created_at);

CREATE TABLE handoffs (
  ticket_digest text PRIMARY KEY,
  flow_digest text NOT NULL,
  user_id integer NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Inbox of the sandbox provider; stays empty in production.
CREATE TABLE sandbox_sms (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  phone_digest text NOT NULL,
  phone_shown text NOT NULL,
  text text NOT NULL,
  code text NOT NULL,
  sent_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sandbox_sms_phone ON sandbox_sms (phone_digest, id);

CREATE TABLE idempotency (
  user_id integer NOT NULL REFERENCES users (id),
  route text NOT NULL,
  key text NOT NULL,
  body_hash text NOT NULL,
  -- NULL while the first request works.
  status integer,
  answer text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, route, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);
