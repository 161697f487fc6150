/** What a file was, by its shape: text, workbook, SPSS. */
import { FileExcelOutlined, FileTextOutlined, TableOutlined } from '@ant-design/icons';

const KINDS = {
  xlsx: { Icon: FileExcelOutlined, word: 'Excel 工作簿' },
  sav: { Icon: TableOutlined, word: 'SPSS 数据' },
  csv: { Icon: FileTextOutlined, word: '文本表格' },
} as const;

export function FormatIcon({ format }: { format: string }) {
  const { Icon, word } = format === 'xlsx' || format === 'sav' ? KINDS[format] : KINDS.csv;
  return <Icon title={word} aria-label={word} role="img" style={{ fontSize: 16, color: 'var(--ink-2)' }} />;
}
