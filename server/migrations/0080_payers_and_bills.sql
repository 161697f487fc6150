-- Who paid, as the provider names the payer, digested: only ever compared. And our books against the providers' bills.

ALTER TABLE payments ADD COLUMN payer_digest text;
ALTER TABLE sandbox_trades ADD COLUMN payer text;
CREATE INDEX sandbox_trades_paid ON sandbox_trades (paid_at);
CREATE INDEX sandbox_refunds_done ON sandbox_refunds (done_at);
CREATE INDEX payments_paid ON payments (provider, paid_at);
CREATE INDEX refunds_done ON refunds (done_at) WHERE done_at IS NOT NULL;

-- A day (Shanghai) of a provider that was compared; amounts are the bill's, in fen.
CREATE TABLE bill_days (
  provider text NOT NULL CHECK (provider IN ('wechat', 'alipay', 'sandbox')),
  day date NOT NULL,
  payments integer NOT NULL,
  paid bigint NOT NULL,
  refunds integer NOT NULL,
  refunded bigint NOT NULL,
  differences integer NOT NULL,
  checked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, day)
);

CREATE TABLE bill_differences (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider text NOT NULL,
  day date NOT NULL,
  -- A payment or a refund, by the provider's transaction or our number of the refund.
  kind text NOT NULL CHECK (kind IN ('payment', 'refund')),
  reference text NOT NULL,
  order_no text,
  -- Fen; null where one side does not know it.
  ours bigint,
  theirs bigint,
  found_at timestamptz NOT NULL DEFAULT now(),
  -- A later comparison of the same day found that it is gone.
  settled_at timestamptz,
  UNIQUE (provider, day, kind, reference),
  FOREIGN KEY (provider, day) REFERENCES bill_days (provider, day)
);
CREATE INDEX bill_differences_open ON bill_differences (id DESC) WHERE settled_at IS NULL;
