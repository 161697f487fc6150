-- What credits buy: items, orders. Everything sold here is given at once; nothing is sent.

CREATE TABLE mall_items (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL,
  summary text NOT NULL DEFAULT '',
  body_md text NOT NULL DEFAULT '',
  grant_kind text NOT NULL CHECK (grant_kind IN ('vip_days', 'ai_points', 'algorithm', 'coupon')),
  -- Days of membership, AI points, days of an unlock, fen of a coupon.
  grant_value integer NOT NULL CHECK (grant_value BETWEEN 1 AND 100000),
  -- Of a coupon: what it may be used for, and for how long.
  coupon_type smallint CHECK (coupon_type IN (0, 1, 3)),
  valid_days integer CHECK (valid_days BETWEEN 1 AND 3660),
  price_credits integer NOT NULL CHECK (price_credits BETWEEN 1 AND 10000),
  -- null: without limit.
  stock_total integer CHECK (stock_total >= 0),
  stock_left integer CHECK (stock_left >= 0),
  per_user_limit integer CHECK (per_user_limit > 0),
  limit_period text NOT NULL DEFAULT 'ever' CHECK (limit_period IN ('day', 'week', 'month', 'year', 'ever')),
  on_at timestamptz,
  off_at timestamptz,
  campaign_id integer REFERENCES campaigns (id),
  sort integer NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'on', 'off')),
  version integer NOT NULL DEFAULT 1,
  CHECK ((stock_total IS NULL) = (stock_left IS NULL)),
  CHECK (stock_left <= stock_total),
  CHECK ((grant_kind = 'coupon') = (coupon_type IS NOT NULL)),
  CHECK ((grant_kind = 'coupon') = (valid_days IS NOT NULL)),
  CHECK (off_at > on_at)
);

CREATE TABLE mall_orders (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_no text NOT NULL UNIQUE,
  user_id integer NOT NULL REFERENCES users (id),
  -- Made once a click: the same number is one purchase.
  request_id text NOT NULL,
  item_id integer NOT NULL REFERENCES mall_items (id),
  -- The item as it was bought.
  title text NOT NULL,
  grant_kind text NOT NULL,
  grant_value integer NOT NULL,
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 10),
  credits integer NOT NULL CHECK (credits > 0),
  -- Of an unlock.
  method text,
  -- What was given: until when, codes of coupons.
  granted jsonb,
  state text NOT NULL DEFAULT 'done' CHECK (state IN ('done', 'refunded', 'returned')),
  entry_id bigint UNIQUE REFERENCES credit_entries (id),
  refund_entry_id bigint UNIQUE REFERENCES credit_entries (id),
  returned_credits integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  returned_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  UNIQUE (user_id, request_id),
  CHECK (returned_credits BETWEEN 0 AND credits),
  CHECK ((grant_kind = 'algorithm') = (method IS NOT NULL)),
  CHECK ((state = 'done') = (returned_at IS NULL))
);
CREATE INDEX mall_orders_user ON mall_orders (user_id, id DESC);
CREATE INDEX mall_orders_item ON mall_orders (item_id, user_id, created_at);
