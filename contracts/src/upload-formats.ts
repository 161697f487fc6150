/** File endings that can be uploaded; what a file really is, the engine finds out from its content. */

/** Text can be looked at from its first chunk on. */
export const TEXT_FORMATS = ['csv', 'tsv', 'txt'] as const;
const WORKBOOKS = ['xlsx', 'xlsm', 'xls', 'ods'] as const;
const STATISTICS = ['sav', 'zsav', 'por', 'dta', 'sas7bdat', 'xpt'] as const;
const COLUMNS = ['parquet', 'feather', 'arrow', 'json', 'jsonl'] as const;

export const UPLOAD_FORMATS: readonly string[] = [...TEXT_FORMATS, ...WORKBOOKS, ...STATISTICS, ...COLUMNS];
