-- A report with thousands of points is some hundred kilobytes, and the default compression took longer than all other
-- queries of its run together. PostgreSQL has a quick one; the embedded database has none, and there it is stored as it is.
DO $$ BEGIN
  ALTER TABLE report_documents ALTER COLUMN document SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
  ALTER TABLE report_documents ALTER COLUMN document SET STORAGE EXTERNAL;
END $$;
