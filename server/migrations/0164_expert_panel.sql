-- Experts who joined while a round was open were not counted among its invited.
UPDATE expert_rounds r SET invited = greatest(r.invited,
  (SELECT count(*)::int FROM expert_sheets s WHERE s.project_id = r.project_id AND s.round = r.number));

-- When an expert was last reminded, and how often.
ALTER TABLE expert_people ADD COLUMN reminded_at timestamptz, ADD COLUMN reminders integer NOT NULL DEFAULT 0;

-- Finding what has been in the bin long enough.
CREATE INDEX expert_projects_bin ON expert_projects (deleted_at) WHERE deleted_at IS NOT NULL;

-- What a protocol says since: what is rated, whether everything must be answered, which pairs are compared, and the tables of
-- judgement bases (Ca) and familiarity (Cs).
UPDATE expert_projects SET content = jsonb_set(content, '{protocol}', '{
  "asks": "importance", "require_all": false, "design": "full",
  "ca": [{"id": "practice", "name": "实践经验", "large": 0.5, "medium": 0.4, "small": 0.3},
    {"id": "theory", "name": "理论分析", "large": 0.3, "medium": 0.2, "small": 0.1},
    {"id": "literature", "name": "国内外文献", "large": 0.1, "medium": 0.1, "small": 0.1},
    {"id": "intuition", "name": "直觉", "large": 0.1, "medium": 0.1, "small": 0.1}],
  "cs": [{"name": "很熟悉", "value": 1}, {"name": "熟悉", "value": 0.8}, {"name": "一般", "value": 0.6},
    {"name": "不太熟悉", "value": 0.4}, {"name": "不熟悉", "value": 0.2}]}'::jsonb || (content -> 'protocol'));
UPDATE expert_versions SET content = jsonb_set(content, '{protocol}', '{
  "asks": "importance", "require_all": false, "design": "full",
  "ca": [{"id": "practice", "name": "实践经验", "large": 0.5, "medium": 0.4, "small": 0.3},
    {"id": "theory", "name": "理论分析", "large": 0.3, "medium": 0.2, "small": 0.1},
    {"id": "literature", "name": "国内外文献", "large": 0.1, "medium": 0.1, "small": 0.1},
    {"id": "intuition", "name": "直觉", "large": 0.1, "medium": 0.1, "small": 0.1}],
  "cs": [{"name": "很熟悉", "value": 1}, {"name": "熟悉", "value": 0.8}, {"name": "一般", "value": 0.6},
    {"name": "不太熟悉", "value": 0.4}, {"name": "不熟悉", "value": 0.2}]}'::jsonb || (content -> 'protocol'));
