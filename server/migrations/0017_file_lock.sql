-- 锁定数据: while set, nothing makes, moves or removes a version of the file.
ALTER TABLE files ADD COLUMN locked_at timestamptz;
