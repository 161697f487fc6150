/** 识别条: every guess about the file as a chip that can be changed; the preview follows at once. */
import { DownOutlined } from '@ant-design/icons';
import type { Preview } from '@hengxi/server/files/schema';
import { Input, type InputRef, type MenuProps } from 'antd';
import { useState } from 'react';

import { DropMenu } from '../../../ui/drop-menu.tsx';
import { isRecord } from './questions.ts';
import styles from './reading-bar.module.css';

interface Chip {
  key: string;
  title: string;
  word: (value: unknown) => string;
  /** Anything of this look can be typed too. */
  free?: string;
}

const DELIMITERS: Record<string, string> = { ',': '逗号', '\t': '制表符', ';': '分号', '|': '竖线', ' ': '空格' };
const QUOTES: Record<string, string> = { '"': '双引号', "'": '单引号', '': '不用引号' };
const DATE_ORDERS: Record<string, string> = { mdy: '月/日/年', dmy: '日/月/年' };
const BAD_ROWS: Record<string, string> = {
  refuse: '停下来问',
  repair: '接回断开的行',
  skip: '跳过并记录',
  pad: '补空缺',
  extra: '多出的放新列',
};

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '–';
}

const CHIPS: readonly Chip[] = [
  { key: 'sheet', title: '工作表', word: text },
  { key: 'member', title: '数据集', word: text },
  { key: 'range', title: '区域', word: (value) => (value === '' ? '全部' : text(value)), free: 'A3:F40' },
  { key: 'encoding', title: '编码', word: text },
  { key: 'delimiter', title: '分隔符', word: (value) => DELIMITERS[text(value)] ?? text(value) },
  { key: 'quote', title: '引号', word: (value) => QUOTES[text(value)] ?? text(value) },
  {
    key: 'escape',
    title: '引号内的引号',
    word: (value) => (value === '' ? '写两遍 ""' : '前加反斜杠 \\"'),
  },
  { key: 'header_row', title: '表头', word: (value) => (value === 0 ? '没有表头' : `第 ${text(value)} 行`) },
  { key: 'header_rows', title: '表头占', word: (value) => `${text(value)} 行` },
  { key: 'merged', title: '合并单元格', word: (value) => (value === 'fill' ? '向下填满' : '只留左上角') },
  { key: 'decimal', title: '小数点', word: (value) => (value === ',' ? '逗号 ","' : '句点 "."') },
  { key: 'date_order', title: '日期', word: (value) => DATE_ORDERS[text(value)] ?? '按内容判断' },
  { key: 'on_bad_row', title: '字段数不符的行', word: (value) => BAD_ROWS[text(value)] ?? text(value) },
];

interface ReadingBarProps {
  preview: Preview;
  onChange: (set: Record<string, unknown>) => void;
}

export function ReadingBar({ preview, onChange }: ReadingBarProps) {
  const garbled = readGarbled(preview.candidates['garbled']);
  return (
    <section aria-label="识别结果" className={styles['bar']}>
      {CHIPS.map((chip) => {
        const values = preview.candidates[chip.key];
        const now = preview.settings[chip.key];
        if (!Array.isArray(values) || values.length === 0 || now === undefined) return null;
        return (
          <ReadingChip
            key={chip.key}
            chip={chip}
            value={now}
            values={values}
            suspicious={chip.key === 'encoding' && garbled.suspicious}
            onChange={onChange}
          />
        );
      })}
      {garbled.suspicious ? (
        <div className={styles['garbled']}>
          <p>有些字像是乱码。哪一行读得通？</p>
          {garbled.lines.map((line) => (
            <button key={line.encoding} type="button" onClick={() => onChange({ encoding: line.encoding })}>
              <b>{line.encoding}</b> {line.text}
            </button>
          ))}
        </div>
      ) : null}
    </section>
  );
}

interface ReadingChipProps {
  chip: Chip;
  value: unknown;
  values: readonly unknown[];
  suspicious: boolean;
  onChange: (set: Record<string, unknown>) => void;
}

const focusAll = (input: InputRef | null): void => input?.focus({ cursor: 'all' });

function ReadingChip({ chip, value, values, suspicious, onChange }: ReadingChipProps) {
  const items: MenuProps['items'] = values.map((option, place) => ({
    key: String(place),
    label: chip.word(option),
    // A range belongs to its sheet.
    onClick: () => onChange(chip.key === 'sheet' ? { sheet: option, range: '' } : { [chip.key]: option }),
  }));
  const [typing, setTyping] = useState(false);
  if (chip.free !== undefined) items.push({ key: 'free', label: '自己输入…', onClick: () => setTyping(true) });
  const selectedKeys = [String(values.indexOf(value))];
  if (chip.free !== undefined && typing) {
    return (
      <Input
        ref={focusAll}
        size="small"
        className={styles['typed'] ?? ''}
        aria-label={chip.title}
        placeholder={`例如 ${chip.free}`}
        defaultValue={text(value)}
        maxLength={40}
        onPressEnter={(event) => event.currentTarget.blur()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setTyping(false);
        }}
        onBlur={(event) => {
          setTyping(false);
          const next = event.target.value.trim();
          if (next !== value) onChange({ [chip.key]: next });
        }}
      />
    );
  }
  return (
    <DropMenu menu={{ items, selectable: true, selectedKeys }}>
      <button type="button" className={suspicious ? `${styles['chip']} ${styles['warn']}` : styles['chip']}>
        <span className={styles['what']}>{chip.title}</span> {chip.word(value)}
        <DownOutlined aria-hidden className={styles['caret']} />
      </button>
    </DropMenu>
  );
}

interface Garbled {
  suspicious: boolean;
  lines: { encoding: string; text: string }[];
}

function readGarbled(value: unknown): Garbled {
  if (!isRecord(value)) return { suspicious: false, lines: [] };
  const lines: unknown[] = Array.isArray(value['lines']) ? value['lines'] : [];
  return {
    suspicious: value['suspicious'] === true,
    lines: lines.flatMap((line) =>
      isRecord(line) && typeof line['encoding'] === 'string' && typeof line['text'] === 'string'
        ? [{ encoding: line['encoding'], text: line['text'] }]
        : [],
    ),
  };
}
