-- What a protocol asks the experts about themselves besides judgement basis and familiarity.
UPDATE expert_projects SET content = jsonb_set(content, '{protocol,about}', '[]') WHERE content -> 'protocol' -> 'about' IS NULL;
UPDATE expert_versions SET content = jsonb_set(content, '{protocol,about}', '[]') WHERE content -> 'protocol' -> 'about' IS NULL;
