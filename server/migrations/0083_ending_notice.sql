-- Memberships that end soon, for the notice seven days before.
CREATE INDEX vip_accounts_ending ON vip_accounts (until) WHERE until IS NOT NULL AND NOT lifetime;
