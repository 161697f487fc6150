/** Columns or a table the method made. They stay with the report until the user makes a data version of them. */
import type { DataElement, FilledForm, TableElement } from '@hengxi/contracts/contract';
import { integer } from '@hengxi/contracts/format';
import { plainColumn } from '@hengxi/contracts/report/plain-column';
import { tableText } from '@hengxi/contracts/table-text';
import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';

import { useReading, useReport } from '../context.ts';
import styles from '../line.module.css';
import { ThreeLines } from '../table/three-lines.tsx';

export function NewData({ element }: { element: DataElement }) {
  const { onAnalyse, onMakeData, readonly } = useReport();
  const [open, setOpen] = useState(false);
  const what = element.columns.map((c) => c.name);
  const names = what.length > 6 ? `${what.slice(0, 6).join('、')} 等 ${what.length} 列` : what.join('、');
  return (
    <div className={styles['line']} data-block={element.id}>
      <b>{element.title}</b>
      <span className={styles['text']}>
        {names}，{integer(element.rows)} 行
        {element.changed > 0 ? `，其中 ${integer(element.changed)} 个单元格有值或改变` : ''}
      </span>
      {element.preview.length > 0 ? (
        <button type="button" className="hx-link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? '收起' : `看前 ${element.preview.length} 行`}
        </button>
      ) : null}
      {element.vid === null && onMakeData !== undefined && !readonly ? (
        <Button size="small" onClick={() => onMakeData(element.id)}>
          {element.table ? '存为数据文件' : '存为数据版本'}
        </Button>
      ) : null}
      <Filling vid={element.vid} filled={element.filled ?? null} onAnalyse={onAnalyse} />
      {open ? <Preview element={element} /> : null}
    </div>
  );
}

interface FillingProps {
  vid: number | null;
  filled: DataElement['filled'];
  onAnalyse: ((vid: number, filled: FilledForm) => void) | undefined;
}

/** A table to be filled in: the way to it, and from it to the analysis with its boxes filled. */
function Filling({ vid, filled, onAnalyse }: FillingProps) {
  if (vid === null || filled === null || onAnalyse === undefined) return null;
  return (
    <>
      <Link to={`/mydata/detail/${vid}`}>去填结果</Link>
      <Button size="small" onClick={() => onAnalyse(vid, filled)}>
        结果填好了，分析
      </Button>
    </>
  );
}

/** The preview in the clothes of a table, so that it is drawn by the same rules. */
function asTable(element: DataElement): TableElement {
  const titled = (key: string, title: string, number: boolean) =>
    plainColumn(key, number ? 'num' : 'text', { title: '', span: [title] });
  return {
    type: 'table',
    id: element.id,
    name: element.name,
    place: 'detail',
    title: element.title,
    at: null,
    layout: 'long',
    turned: false,
    merge: [],
    hidden: false,
    columns: [
      titled('row', '行', false),
      ...element.columns.map((c, i) =>
        titled(
          c.id,
          c.name,
          element.preview.every((row) => typeof row[i] === 'number' || row[i] === null),
        ),
      ),
    ],
    rows: element.preview.map((row, i) => [String(i + 1), ...row]),
    depth: [],
    totals: [],
    marks: {},
    matrix: null,
    more: null,
    claim: null,
  };
}

function Preview({ element }: { element: DataElement }) {
  const reading = useReading();
  const table = useMemo(() => asTable(element), [element]);
  const grid = useMemo(() => {
    const textTable = tableText(table, reading);
    // The users' names stand as plain text in the spanners; one head row is enough.
    const head = textTable.head
      .slice(0, 1)
      .map((row) => row.map((h) => ({ ...h, spanner: false, numeric: table.columns[h.at]?.format === 'num' })));
    return { ...textTable, head };
  }, [table, reading]);
  return (
    <div className={styles['preview']}>
      <ThreeLines table={table} grid={grid} caption={`${element.title}的前几行`} link={element.id} />
    </div>
  );
}
