-- Orders, what was paid for them, refunds, coupons, invoices, bank transfers.

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;

-- Periods and the company's bank account: data of the operator's desk. One row.
CREATE TABLE money_settings (
  id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  refund_days integer NOT NULL CHECK (refund_days BETWEEN 0 AND 365),
  invoice_days integer NOT NULL CHECK (invoice_days BETWEEN 1 AND 365),
  agreement_version text NOT NULL,
  bank text NOT NULL,
  bank_account text NOT NULL,
  company_name text NOT NULL,
  version integer NOT NULL DEFAULT 1
);

CREATE TABLE orders (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_no text NOT NULL UNIQUE CHECK (order_no ~ '^HX[0-9]{22}$'),
  user_id integer NOT NULL REFERENCES users (id),
  enterprise_id integer,
  package_id integer NOT NULL REFERENCES packages (id),
  -- The package as it was sold.
  snapshot jsonb NOT NULL,
  kind text NOT NULL CHECK (kind IN ('vip', 'edu', 'combo', 'point', 'seat')),
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 2000),
  -- Fen; up to 10^8 times the quantity.
  price bigint NOT NULL CHECK (price >= 0),
  coupon_fen bigint NOT NULL DEFAULT 0 CHECK (coupon_fen >= 0),
  total bigint NOT NULL CHECK (total = greatest(0, price - coupon_fen)),
  -- 1 either app, 2 WeChat, 3 Alipay, 4 bank transfer.
  method smallint NOT NULL CHECK (method BETWEEN 1 AND 4),
  state text NOT NULL DEFAULT 'created' CHECK (state IN ('created', 'paid', 'closed', 'refunded')),
  close_reason text CHECK (close_reason IN ('timeout', 'superseded', 'user')),
  superseded_by integer REFERENCES orders (id),
  -- Holder of the payment page of method 1: whoever has it may pay this order and do nothing else.
  ticket_digest text UNIQUE,
  -- Providers that may know this order and must be asked or told about it.
  opened jsonb NOT NULL DEFAULT '[]',
  agreement_version text NOT NULL,
  expires_at timestamptz NOT NULL,
  paid_at timestamptz,
  closed_at timestamptz,
  refunded bigint NOT NULL DEFAULT 0 CHECK (refunded BETWEEN 0 AND total),
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((state = 'closed') = (close_reason IS NOT NULL)),
  CHECK ((state IN ('paid', 'refunded')) = (paid_at IS NOT NULL))
);
CREATE UNIQUE INDEX orders_one_open ON orders (user_id, coalesce(enterprise_id, 0), kind)
  WHERE state = 'created' AND method <> 4;
-- The records a person sees: what a newer order replaced is hidden.
CREATE INDEX orders_user ON orders (user_id, id DESC) WHERE close_reason IS DISTINCT FROM 'superseded';
CREATE INDEX orders_open ON orders (expires_at) WHERE state = 'created';
CREATE INDEX orders_state ON orders (state, id DESC);
CREATE INDEX orders_superseded_by ON orders (superseded_by) WHERE superseded_by IS NOT NULL;

CREATE TABLE payments (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_no text NOT NULL,
  provider text NOT NULL CHECK (provider IN ('wechat', 'alipay', 'sandbox', 'bank')),
  transaction_id text NOT NULL,
  amount bigint NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('applied', 'duplicate', 'anomaly')),
  -- Why a payment is an anomaly.
  why text,
  paid_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider, transaction_id)
);
CREATE UNIQUE INDEX payments_one_applied ON payments (order_no) WHERE outcome = 'applied';
CREATE INDEX payments_order ON payments (order_no);
CREATE INDEX payments_odd ON payments (id DESC) WHERE outcome = 'anomaly';

CREATE TABLE notices (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider text NOT NULL,
  digest text NOT NULL UNIQUE,
  received_at timestamptz NOT NULL DEFAULT now(),
  verified boolean NOT NULL,
  raw_sealed text NOT NULL,
  outcome text NOT NULL
);
CREATE INDEX notices_received ON notices (received_at);
CREATE TRIGGER notices_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON notices
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE refunds (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Fixed before the provider is called, so that a repeated call is the same refund.
  refund_no text NOT NULL UNIQUE,
  order_no text NOT NULL,
  payment_id integer NOT NULL REFERENCES payments (id),
  amount bigint NOT NULL CHECK (amount > 0),
  -- What the rules offered when it was asked for; NULL: the desk decides.
  offered bigint,
  kind text NOT NULL CHECK (kind IN ('asked', 'duplicate', 'anomaly')),
  reason text NOT NULL,
  answer text,
  state text NOT NULL CHECK (state IN ('asked', 'refused', 'agreed', 'refunding', 'refunded', 'failed')),
  asked_by integer,
  decided_by integer,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  decided_at timestamptz,
  done_at timestamptz
);
CREATE UNIQUE INDEX refunds_one_asked ON refunds (order_no) WHERE state = 'asked';
CREATE INDEX refunds_payment ON refunds (payment_id);
CREATE INDEX refunds_order ON refunds (order_no, id DESC);
CREATE INDEX refunds_state ON refunds (state, id);

CREATE TABLE coupons (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Six of 32 letters that are not mistaken for one another.
  code text NOT NULL UNIQUE CHECK (code ~ '^[2-9A-HJ-NP-Z]{6}$'),
  -- The buy type: 1 membership, 3 education, 0 both.
  coupon_type smallint NOT NULL CHECK (coupon_type IN (0, 1, 3)),
  amount integer NOT NULL CHECK (amount BETWEEN 1 AND 100000000),
  package_ids jsonb,
  -- Bound to one account: guessing it gains nothing.
  user_id integer REFERENCES users (id),
  limit_total integer CHECK (limit_total > 0),
  uses integer NOT NULL DEFAULT 0 CHECK (uses >= 0 AND (limit_total IS NULL OR uses <= limit_total)),
  per_user integer NOT NULL DEFAULT 1 CHECK (per_user > 0),
  valid_from timestamptz,
  valid_to timestamptz,
  state text NOT NULL DEFAULT 'on' CHECK (state IN ('on', 'stopped')),
  note text NOT NULL DEFAULT '',
  made_by integer,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX coupons_user ON coupons (user_id) WHERE user_id IS NOT NULL;

CREATE TABLE coupon_uses (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  coupon_id integer NOT NULL REFERENCES coupons (id),
  order_no text NOT NULL UNIQUE,
  user_id integer NOT NULL,
  state text NOT NULL CHECK (state IN ('reserved', 'used', 'released')),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX coupon_uses_user ON coupon_uses (coupon_id, user_id) WHERE state <> 'released';

-- Wrong codes typed by a person: guessing is limited.
CREATE TABLE coupon_misses (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id),
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX coupon_misses_user ON coupon_misses (user_id, at);

CREATE TABLE invoices (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_no text NOT NULL,
  user_id integer NOT NULL REFERENCES users (id),
  kind text NOT NULL CHECK (kind IN ('person', 'company')),
  title text NOT NULL,
  tax_no text,
  email text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'issued', 'refused', 'voided')),
  number text,
  reason text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  issued_at timestamptz,
  CHECK ((kind = 'company') = (tax_no IS NOT NULL)),
  CHECK (state <> 'issued' OR number IS NOT NULL)
);
CREATE UNIQUE INDEX invoices_one_live ON invoices (order_no) WHERE state <> 'voided';
CREATE INDEX invoices_user ON invoices (user_id, id DESC);
CREATE INDEX invoices_state ON invoices (state, id);

CREATE TABLE invoice_files (
  invoice_id integer PRIMARY KEY REFERENCES invoices (id),
  -- The built-in picture of an invoice, which is none.
  is_sample boolean NOT NULL,
  pdf bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE bank_transfers (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_no text NOT NULL UNIQUE,
  -- What the payer writes on the transfer, so that it can be matched.
  remark text NOT NULL CHECK (remark ~ '^[2-9A-HJ-NP-Z]{6}$'),
  amount_fen bigint NOT NULL CHECK (amount_fen > 0),
  payer text,
  proof_id integer REFERENCES proofs (id) ON DELETE SET NULL,
  bank_ref text,
  reason text,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'proof', 'checking', 'confirmed', 'returned', 'closed')),
  confirmed_by integer,
  approved_by integer,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((state = 'confirmed') = (bank_ref IS NOT NULL))
);
CREATE UNIQUE INDEX bank_transfers_remark ON bank_transfers (remark) WHERE state NOT IN ('confirmed', 'closed');
CREATE UNIQUE INDEX bank_transfers_ref ON bank_transfers (bank_ref);
CREATE INDEX bank_transfers_state ON bank_transfers (state, id);

-- What the sandbox cashier was told; other providers keep this themselves.
CREATE TABLE sandbox_trades (
  transaction_id text PRIMARY KEY,
  order_no text NOT NULL,
  amount bigint NOT NULL,
  paid_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sandbox_trades_order ON sandbox_trades (order_no);
CREATE TABLE sandbox_refunds (
  refund_no text PRIMARY KEY,
  order_no text NOT NULL,
  amount bigint NOT NULL,
  done_at timestamptz NOT NULL DEFAULT now()
);
