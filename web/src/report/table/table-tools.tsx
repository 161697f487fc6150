/** Tools of a table: copy in one click, other forms and presentation in menus. They show on hover and focus and move nothing. */
import { CopyOutlined, DownloadOutlined, EllipsisOutlined } from '@ant-design/icons';
import type { TableElement } from '@hengxi/contracts/contract';
import type { TableEdit } from '@hengxi/contracts/table-text';
import { Dropdown, type MenuProps } from 'antd';
import { useState } from 'react';

import { copyForms, saveFile } from '../clipboard.ts';
import { useReport } from '../context.ts';
import { isEdited, withHidden, withTable } from '../presentation.ts';
import styles from '../tools.module.css';
import { ColumnsDialog } from './columns-dialog.tsx';
import { type TableCopy, toApa, toCsv, toHtml, toLatex, toMarkdown, toTsv } from './copy.ts';

export interface TableToolsProps {
  table: TableElement;
  name: string;
  copy: TableCopy;
  readonly: boolean;
}

export function TableTools({ table, name, copy, readonly }: TableToolsProps) {
  const [arranging, setArranging] = useState(false);
  const copyTable = (): void =>
    void copyForms(
      { html: toHtml(copy), text: `${copy.caption}\r\n${toTsv(copy)}` },
      '表格已复制，可粘贴到 Word、WPS 或 Excel',
    );
  return (
    <div className={styles['tools']} role="toolbar" aria-label={`${copy.caption}的工具`}>
      <button type="button" className={styles['tool']} onClick={copyTable} data-copy>
        <CopyOutlined aria-hidden /> 复制
      </button>
      <Dropdown
        menu={{ items: COPIES, onClick: ({ key }) => act(key, copy) }}
        trigger={['click']}
        placement="bottomRight"
      >
        <button type="button" className={styles['tool']} aria-label="复制为其他格式或下载">
          <DownloadOutlined aria-hidden />
        </button>
      </Dropdown>
      {readonly ? null : <EditMenu table={table} name={name} onArrange={() => setArranging(true)} />}
      {arranging ? <ColumnsDialog table={table} name={name} onClose={() => setArranging(false)} /> : null}
    </div>
  );
}

const COPIES: MenuProps['items'] = [
  { key: 'three', label: '复制三线表' },
  { key: 'apa', label: '复制为 APA' },
  { key: 'latex', label: '复制为 LaTeX（booktabs）' },
  { key: 'markdown', label: '复制为 Markdown' },
  { type: 'divider' },
  { key: 'csv', label: '下载 csv' },
];

function act(key: string, copy: TableCopy): void {
  if (key === 'three') void copyForms({ html: toHtml(copy), text: toTsv(copy) }, '三线表已复制');
  else if (key === 'apa') void copyForms({ html: toApa(copy), text: toTsv(copy) }, 'APA 表格已复制');
  else if (key === 'latex') void copyForms({ text: toLatex(copy) }, 'LaTeX 已复制');
  else if (key === 'markdown') void copyForms({ text: toMarkdown(copy) }, 'Markdown 已复制');
  else saveFile(`${copy.caption}.csv`, 'text/csv;charset=utf-8', toCsv(copy));
}

const DECIMALS = [
  { key: 'd-auto', label: '自动' },
  ...[0, 1, 2, 3, 4, 6].map((n) => ({ key: `d-${n}`, label: `${n} 位` })),
];

const P_FORMS = [
  { key: 'p-short', label: '.002' },
  { key: 'p-zero', label: '0.002' },
  { key: 'p-exact', label: '全部数字（1.99×10⁻³）' },
];

function EditMenu({ table, name, onArrange }: { table: TableElement; name: string; onArrange: () => void }) {
  const { presentation } = useReport();
  const edit = presentation.value.tables[name];
  const change = (next: TableEdit): void => presentation.change(withTable(presentation.value, name, next));
  const turned = (edit?.turned ?? false) !== table.turned;
  const items: MenuProps['items'] = [
    { key: 'decimals', label: '小数位', children: DECIMALS },
    { key: 'p', label: 'p 值写法', children: P_FORMS },
    ...(table.layout === 'long' || table.layout === 'wide'
      ? [
          { key: 'turn', label: turned ? '变量放回列' : '行列互换' },
          { key: 'arrange', label: '列：隐藏、改名、排序' },
        ]
      : []),
    { type: 'divider' as const },
    { key: 'everywhere', label: '小数位与 p 写法用于全部表' },
    { key: 'hide', label: '隐藏此表' },
    { key: 'undo', label: '撤销', disabled: !presentation.canUndo },
    { key: 'reset', label: '还原此表', disabled: !isEdited(edit) },
  ];
  const onClick: MenuProps['onClick'] = ({ key }) => {
    if (key === 'turn') change({ turned: !(edit?.turned ?? false) });
    else if (key === 'arrange') onArrange();
    else if (key === 'hide') presentation.change(withHidden(presentation.value, name));
    else if (key === 'undo') presentation.undo();
    else if (key === 'reset')
      presentation.change({ ...presentation.value, tables: without(presentation.value.tables, name) });
    else if (key === 'everywhere') everywhere(presentation, edit);
    else if (key.startsWith('d-')) change({ decimals: key === 'd-auto' ? null : Number(key.slice(2)) });
    else if (key === 'p-short' || key === 'p-zero' || key === 'p-exact')
      change({ p: key === 'p-short' ? 'short' : key === 'p-zero' ? 'zero' : 'exact' });
  };
  return (
    <Dropdown menu={{ items, onClick, selectedKeys: selected(edit) }} trigger={['click']} placement="bottomRight">
      <button type="button" className={styles['tool']} aria-label="更多：小数位、行列、还原">
        <EllipsisOutlined aria-hidden />
      </button>
    </Dropdown>
  );
}

function selected(edit: TableEdit | undefined): string[] {
  return [
    edit?.decimals === undefined || edit.decimals === null ? 'd-auto' : `d-${edit.decimals}`,
    `p-${edit?.p ?? 'short'}`,
  ];
}

function without(tables: Record<string, TableEdit>, name: string): Record<string, TableEdit> {
  return Object.fromEntries(Object.entries(tables).filter(([key]) => key !== name));
}

function everywhere(hand: ReturnType<typeof useReport>['presentation'], edit: TableEdit | undefined): void {
  const { value } = hand;
  const tables = Object.fromEntries(
    Object.entries(value.tables).map(([key, { decimals: _d, p: _p, ...rest }]) => [key, rest]),
  );
  hand.change({
    ...value,
    tables,
    reading: { ...value.reading, decimals: edit?.decimals ?? null, p: edit?.p ?? value.reading.p },
  });
}
