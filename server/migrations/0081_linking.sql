-- A further way to sign in, added to an account by its owner: the same codes and visits, in the name of an account.

-- Null: somebody signs in; else whoever scans becomes a way into this account.
ALTER TABLE wechat_tickets ADD COLUMN user_id integer REFERENCES users (id);
ALTER TABLE oauth_flows ADD COLUMN user_id integer REFERENCES users (id);
CREATE INDEX identity_links_user ON identity_links (user_id);
