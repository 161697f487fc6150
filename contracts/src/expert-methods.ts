/** The methods that expert questionnaires are made for: the answers of a panel become a table that these read. */
export const EXPERT_METHODS = { delphi: 'evaluation/delphi', ahp: 'evaluation/ahp_pro' } as const;
