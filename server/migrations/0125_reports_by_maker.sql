-- The desk's list of what one person has shared, wherever the reports belong.
CREATE INDEX reports_created_by ON reports (created_by);
