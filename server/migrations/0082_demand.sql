-- 「希望有 macOS 客户端」: one voice a browser.
CREATE TABLE demand_votes (
  subject text NOT NULL CHECK (subject IN ('mac')),
  device_id text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (subject, device_id)
);
