/** File endings that can be uploaded; what a file really is, the engine finds out from its content. */

/** Text can be looked at from its first chunk on. */
export const TEXT_FORMATS = ['csv', 'tsv', 'txt'] as const;
const WORKBOOKS = ['xlsx', 'xlsm', 'xls', 'ods'] as const;
const STATISTICS = ['sav', 'zsav', 'por', 'dta', 'sas7bdat', 'xpt'] as const;
const COLUMNS = ['parquet', 'feather', 'arrow', 'json', 'jsonl'] as const;

/** Value labels of SAS: no data of its own, read together with a data set (`LABELLED_FORMATS`). */
export const CATALOGUE_FORMAT = 'sas7bcat';
export const LABELLED_FORMATS: readonly string[] = ['sas7bdat', 'xpt'];

export const UPLOAD_FORMATS: readonly string[] = [
  ...TEXT_FORMATS,
  ...WORKBOOKS,
  ...STATISTICS,
  CATALOGUE_FORMAT,
  ...COLUMNS,
];

/** Tables of other programs that no permissively licensed library reads: how to bring the data here instead. */
export const FOREIGN_FORMATS: Readonly<Record<string, string>> = {
  rds: '还不能读取 R 的 .rds 文件。请在 R 中用 haven::write_sav(数据, "数据.sav") 或 write.csv 导出后再上传。',
  rda: '还不能读取 R 的 .rda 文件。请在 R 中用 haven::write_sav(数据, "数据.sav") 或 write.csv 导出后再上传。',
  rdata: '还不能读取 R 的 .RData 文件。请在 R 中用 haven::write_sav(数据, "数据.sav") 或 write.csv 导出后再上传。',
  jmp: '还不能读取 JMP 的 .jmp 文件。请在 JMP 中另存为 xlsx、csv 或 sas7bdat 后再上传。',
  omv: '还不能读取 jamovi 的 .omv 文件。请在 jamovi 中导出为 sav 或 csv 后再上传。',
  mdb: '还不能读取 Access 的 .mdb 文件。请在 Access 中把表导出为 xlsx 后再上传。',
  accdb: '还不能读取 Access 的 .accdb 文件。请在 Access 中把表导出为 xlsx 后再上传。',
  et: '还不能读取 WPS 的 .et 文件。请在 WPS 中另存为 xlsx 后再上传。',
  wps: '还不能读取 WPS 的 .wps 文件。请把其中的表格复制到 WPS 表格中，存为 xlsx 后再上传。',
  xlsb: '还不能读取 .xlsb 工作簿。请在 Excel 或 WPS 中另存为 xlsx 后再上传。',
  fods: '还不能读取 .fods 文件。请在 LibreOffice 中另存为 ods 或 xlsx 后再上传。',
  dbf: '还不能读取 dBASE 的 .dbf 文件。请在 Excel 或 WPS 中打开，另存为 xlsx 后再上传。',
  spv: '.spv 是 SPSS 的输出文档，里面没有数据。请在 SPSS 中把数据另存为 sav 后再上传。',
  sqlite: '还不能读取 SQLite 数据库。请把表导出为 csv 后再上传。',
  numbers: '还不能读取 Numbers 的 .numbers 文件。请在 Numbers 中导出为 xlsx 后再上传。',
  zip: '压缩包请先解压，再上传里面的数据文件；可以一次选多个。',
  rar: '压缩包请先解压，再上传里面的数据文件；可以一次选多个。',
  gz: '压缩包请先解压，再上传里面的数据文件；可以一次选多个。',
  '7z': '压缩包请先解压，再上传里面的数据文件；可以一次选多个。',
};
