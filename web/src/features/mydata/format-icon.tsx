/** What a file was, by its shape: text, workbook, statistics program, columns. */
import { DatabaseOutlined, FileExcelOutlined, FileTextOutlined, TableOutlined } from '@ant-design/icons';

const TEXT = { Icon: FileTextOutlined, word: '文本表格' };

/** By the engine's name of the format (one module each in engine/hengxi/data/formats). */
const KINDS = new Map([
  ['csv', TEXT],
  ['json', { Icon: FileTextOutlined, word: 'JSON 数据' }],
  ['html', { Icon: FileTextOutlined, word: '网页表格' }],
  ['xlsx', { Icon: FileExcelOutlined, word: 'Excel 工作簿' }],
  ['xls', { Icon: FileExcelOutlined, word: 'Excel 97–2003 工作簿' }],
  ['ods', { Icon: FileExcelOutlined, word: 'OpenDocument 工作簿' }],
  ['sav', { Icon: TableOutlined, word: 'SPSS 数据' }],
  ['por', { Icon: TableOutlined, word: 'SPSS 便携文件' }],
  ['dta', { Icon: TableOutlined, word: 'Stata 数据' }],
  ['sas7bdat', { Icon: TableOutlined, word: 'SAS 数据集' }],
  ['xpt', { Icon: TableOutlined, word: 'SAS 传输文件' }],
  ['parquet', { Icon: DatabaseOutlined, word: 'Parquet 文件' }],
  ['feather', { Icon: DatabaseOutlined, word: 'Feather 文件' }],
]);

export function FormatIcon({ format }: { format: string }) {
  const { Icon, word } = KINDS.get(format) ?? TEXT;
  return <Icon title={word} aria-label={word} role="img" style={{ fontSize: 16, color: 'var(--ink-2)' }} />;
}
