-- Lists that were read from end to end: all orders of a person and of an enterprise, payments by outcome, invoices of an
-- order, coupons by state, the log by act.
CREATE INDEX orders_buyer ON orders (user_id, id DESC);
CREATE INDEX orders_enterprise ON orders (enterprise_id, id DESC) WHERE enterprise_id IS NOT NULL;
CREATE INDEX payments_outcome ON payments (outcome, id DESC);
CREATE INDEX invoices_order ON invoices (order_no, id DESC);
CREATE INDEX coupons_state ON coupons (state, id DESC);
CREATE INDEX act_log_act ON act_log (act, seq DESC);
