/** Tools of a table: copy in one click, other forms and presentation in menus. They show on hover and focus and move nothing. */
import { CopyOutlined, DownloadOutlined, EllipsisOutlined } from '@ant-design/icons';
import type { TableElement } from '@hengxi/contracts/contract';
import type { TableEdit } from '@hengxi/contracts/table-text';
import type { MenuProps } from 'antd';
import { useState } from 'react';

import { copyForms, saveFile } from '../clipboard.ts';
import { useReport } from '../context.ts';
import { isEdited, type Presentation, withHidden, withTable } from '@hengxi/contracts/report/presentation';
import styles from '../tools.module.css';
import { useNoting } from '../note/noting.ts';
import { DropMenu } from '../../ui/drop-menu.tsx';
import { ArrangeDialog, ARRANGED_MOST } from './arrange-dialog.tsx';
import { STYLE_NAMES, type TableStyle } from '@hengxi/contracts/report/table-style';
import type { SentencePair } from '@hengxi/contracts/report/sentence';
import {
  captionOf,
  htmlTokens,
  type TableCopy,
  toCsv,
  toHtml,
  toMarkdown,
  toText,
} from '@hengxi/contracts/report/copy';
import { toLatex } from '@hengxi/contracts/report/copy-tex';

export interface TableToolsProps {
  table: TableElement;
  name: string;
  copy: TableCopy;
  style: TableStyle;
  /** What the tests of the table found, in words; empty where it holds no test. */
  sentences: readonly SentencePair[];
  readonly: boolean;
}

export function TableTools({ table, name, copy, style, sentences, readonly }: TableToolsProps) {
  const { onExport } = useReport();
  const [arranging, setArranging] = useState<'columns' | 'rows' | null>(null);
  const copyTable = (): void =>
    void copyForms({ html: toHtml(copy, style), text: toText(copy) }, '表格已复制，可粘贴到 Word、WPS 或 Excel');
  return (
    <div className={styles['tools']} role="toolbar" aria-label={`${captionOf(copy)}的工具`}>
      <button type="button" className={styles['tool']} onClick={copyTable} data-copy>
        <CopyOutlined aria-hidden /> 复制
      </button>
      <DropMenu
        menu={{
          items: [
            ...(sentences.length > 0 ? SENTENCES : []),
            ...COPIES,
            ...(onExport === undefined ? [] : [{ key: 'xlsx', label: '下载 Excel（数字带格式）' }]),
          ],
          onClick: ({ key }) => {
            if (key === 'xlsx') onExport?.({ element: table.id, as: 'xlsx' });
            else if (key === 'zh' || key === 'en') copySentences(key, sentences);
            else act(key, copy);
          },
        }}
        placement="bottomRight"
      >
        <button type="button" className={styles['tool']} aria-label="复制为其他格式或下载">
          <DownloadOutlined aria-hidden />
        </button>
      </DropMenu>
      {readonly ? null : <EditMenu table={table} name={name} onArrange={setArranging} />}
      {arranging === null ? null : (
        <ArrangeDialog table={table} name={name} what={arranging} onClose={() => setArranging(null)} />
      )}
    </div>
  );
}

const SENTENCES: NonNullable<MenuProps['items']> = [
  { key: 'zh', label: '结果语句（中文）' },
  { key: 'en', label: '结果语句（English）' },
  { type: 'divider' },
];

function copySentences(language: 'zh' | 'en', sentences: readonly SentencePair[]): void {
  const list = sentences.map((s) => s[language]);
  const html = list.map((words) => `<p style="font-family:'Times New Roman','SimSun',serif">${htmlTokens(words)}</p>`);
  const text = list.map((words) => words.map((t) => t.text).join(''));
  void copyForms({ html: html.join(''), text: text.join('\r\n') }, `已复制 ${list.length} 句`);
}

const COPIES: NonNullable<MenuProps['items']> = [
  { key: 'three', label: '复制三线表' },
  { key: 'apa', label: '复制为 APA' },
  { key: 'latex', label: '复制为 LaTeX（booktabs）' },
  { key: 'markdown', label: '复制为 Markdown' },
  { type: 'divider' },
  { key: 'csv', label: '下载 csv' },
];

function act(key: string, copy: TableCopy): void {
  if (key === 'three') void copyForms({ html: toHtml(copy), text: toText(copy) }, '三线表已复制');
  else if (key === 'apa') void copyForms({ html: toHtml(copy, 'apa'), text: toText(copy) }, 'APA 表格已复制');
  else if (key === 'latex') void copyForms({ text: toLatex(copy) }, 'LaTeX 已复制');
  else if (key === 'markdown') void copyForms({ text: toMarkdown(copy) }, 'Markdown 已复制');
  else saveFile(`${captionOf(copy)}.csv`, 'text/csv;charset=utf-8', toCsv(copy));
}

const DECIMALS = [
  { key: 'd-auto', label: '自动' },
  ...[0, 1, 2, 3, 4, 6].map((n) => ({ key: `d-${n}`, label: `${n} 位` })),
];

const SHOWN_STYLES = ['three', 'apa', 'medical', 'plain'] as const;
const STYLE_HINTS: Partial<Record<TableStyle, string>> = { medical: '（x̄±s，n（%），P）' };
const STYLES = SHOWN_STYLES.map((s) => ({ key: `s-${s}`, label: `${STYLE_NAMES[s]}${STYLE_HINTS[s] ?? ''}` }));

const P_FORMS = [
  { key: 'p-short', label: '.002' },
  { key: 'p-zero', label: '0.002' },
  { key: 'p-exact', label: '全部数字（1.99×10⁻³）' },
];

interface EditMenuProps {
  table: TableElement;
  name: string;
  onArrange: (what: 'columns' | 'rows') => void;
}

function EditMenu({ table, name, onArrange }: EditMenuProps) {
  const { presentation } = useReport();
  const noting = useNoting((s) => s.open);
  const edit = presentation.value.tables[name];
  const change = (next: TableEdit): void => presentation.change(withTable(presentation.value, name, next));
  const turned = (edit?.turned ?? false) !== table.turned;
  const items: MenuProps['items'] = [
    { key: 'decimals', label: '小数位', children: DECIMALS },
    { key: 'p', label: 'p 值写法', children: P_FORMS },
    { key: 'style', label: '样式', children: STYLES },
    ...(table.layout === 'long' || table.layout === 'wide'
      ? [
          { key: 'turn', label: turned ? '变量放回列' : '行列互换' },
          { key: 'columns', label: '列：隐藏、改名、排序' },
        ]
      : []),
    ...(canArrangeRows(table) ? [{ key: 'rows', label: '行：隐藏、改名、排序' }] : []),
    { key: 'note', label: '写附注' },
    { type: 'divider' as const },
    { key: 'everywhere', label: '小数位、p 写法与样式用于全部表' },
    { key: 'hide', label: '隐藏此表' },
    { key: 'undo', label: '撤销', disabled: !presentation.canUndo },
    { key: 'reset', label: '还原此表', disabled: !isEdited(edit) },
  ];
  const onClick: MenuProps['onClick'] = ({ key }) => {
    if (key === 'turn') change({ turned: !(edit?.turned ?? false) });
    else if (key === 'columns' || key === 'rows') onArrange(key);
    else if (key === 'note') noting(name);
    else if (key === 'hide') presentation.change(withHidden(presentation.value, name));
    else if (key === 'undo') presentation.undo();
    else if (key === 'reset')
      presentation.change({ ...presentation.value, tables: without(presentation.value.tables, name) });
    else if (key === 'everywhere') everywhere(presentation, edit);
    else if (key.startsWith('s-')) {
      const style = SHOWN_STYLES.find((s) => key === `s-${s}`);
      if (style !== undefined) change({ style });
    } else if (key.startsWith('d-')) change({ decimals: key === 'd-auto' ? null : Number(key.slice(2)) });
    else if (key === 'p-short' || key === 'p-zero' || key === 'p-exact')
      change({ p: key === 'p-short' ? 'short' : key === 'p-zero' ? 'zero' : 'exact' });
  };
  return (
    <DropMenu menu={{ items, onClick, selectedKeys: selected(edit, presentation.value) }} placement="bottomRight">
      <button type="button" className={styles['tool']} aria-label="更多：小数位、行列、还原">
        <EllipsisOutlined aria-hidden />
      </button>
    </DropMenu>
  );
}

/** A list a person can go through. */
const canArrangeRows = (table: TableElement): boolean => {
  const n = table.matrix === null ? table.rows.length : table.matrix.labels.length;
  return table.layout !== 'record' && n > 1 && n <= ARRANGED_MOST;
};

function selected(edit: TableEdit | undefined, value: Presentation): string[] {
  return [
    edit?.decimals === undefined || edit.decimals === null ? 'd-auto' : `d-${edit.decimals}`,
    `p-${edit?.p ?? value.reading.p}`,
    `s-${edit?.style ?? value.style}`,
  ];
}

function without(tables: Record<string, TableEdit>, name: string): Record<string, TableEdit> {
  return Object.fromEntries(Object.entries(tables).filter(([key]) => key !== name));
}

function everywhere(hand: ReturnType<typeof useReport>['presentation'], edit: TableEdit | undefined): void {
  const { value } = hand;
  const tables = Object.fromEntries(
    Object.entries(value.tables).map(([key, { decimals: _d, p: _p, style: _s, ...rest }]) => [key, rest]),
  );
  hand.change({
    ...value,
    tables,
    style: edit?.style ?? value.style,
    reading: { ...value.reading, decimals: edit?.decimals ?? null, p: edit?.p ?? value.reading.p },
  });
}
