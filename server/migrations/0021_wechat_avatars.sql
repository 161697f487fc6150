-- Where the picture of a person who signs in by WeChat lies; copied to our own store when the account is made.

ALTER TABLE wechat_tickets ADD COLUMN avatar text;
