-- The desk looks through the runs of everybody by their state or their maker, and names a share without its code.
CREATE INDEX runs_state ON runs (state, id);
CREATE INDEX runs_user ON runs (user_id, id);

ALTER TABLE shares ADD COLUMN id integer GENERATED ALWAYS AS IDENTITY;
ALTER TABLE shares ADD CONSTRAINT shares_id UNIQUE (id);
