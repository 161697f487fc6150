-- 常用流程: chains of processing steps kept under a name, to be run on other files of the same owner.

CREATE TABLE step_recipes (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id integer NOT NULL,
  created_by integer,
  -- In an enterprise all members work with what one of them has saved.
  visibility text NOT NULL DEFAULT 'all',
  name text NOT NULL,
  note text NOT NULL DEFAULT '',
  steps jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- When it was run last.
  used_at timestamptz,
  -- In the bin since then.
  deleted_at timestamptz
);
CREATE UNIQUE INDEX step_recipes_name ON step_recipes (owner_kind, owner_id, name) WHERE deleted_at IS NULL;
CREATE INDEX step_recipes_bin ON step_recipes (owner_kind, owner_id, deleted_at) WHERE deleted_at IS NOT NULL;
