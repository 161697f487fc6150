-- Visitors tell us something, too: from a device, without an account and without pictures.
ALTER TABLE feedback ALTER COLUMN user_id DROP NOT NULL;
ALTER TABLE feedback ADD COLUMN device_id text;
ALTER TABLE feedback ADD COLUMN net_digest text;
ALTER TABLE feedback ADD CONSTRAINT feedback_sender CHECK (
  (user_id IS NULL) = (device_id IS NOT NULL) AND (device_id IS NULL) = (net_digest IS NULL));
CREATE UNIQUE INDEX feedback_device_request ON feedback (device_id, request_id) WHERE device_id IS NOT NULL;
CREATE INDEX feedback_net ON feedback (net_digest, created_at) WHERE net_digest IS NOT NULL;
