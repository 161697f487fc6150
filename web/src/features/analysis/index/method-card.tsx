/** The right pane of the index: one method — what it answers, what it needs, what comes out, and the ways to start. */
import type { Declaration, TableColumn } from '@hengxi/contracts/contract';
import type { MethodRow } from '@hengxi/server/analysis/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';

import type { Column } from '../../../fields/column.ts';
import type { MeasureKind } from '../../../ui/measure-icon.tsx';
import { MeasureIcon } from '../../../ui/measure-icon.tsx';
import { useMethodAccess } from '../../../lib/method-access.ts';
import { LockedLine } from '../locked-method.tsx';
import { FavouriteButton } from '../operation/method-head.tsx';
import { methodQuery } from '../queries.ts';
import styles from './method-card.module.css';
import { lacking, needLines, unsuited } from './suitability.ts';

const NEED_ICON: Record<string, MeasureKind> = { 定类: '定类', 有序: '定序', 定量: '定量', 时间: '时间', 文本: '文本' };
const SKETCH_COLUMNS = 5;

/** Titles hold markup for symbols: *t* is an italic sign. */
function ColumnTitle({ column }: { column: TableColumn }) {
  return (
    <>
      {column.title.split(/(\*[^*]+\*)/u).map((part, at) =>
        part.startsWith('*') && part.endsWith('*') && part.length > 2 ? (
          <i key={at} className="st">
            {part.slice(1, -1)}
          </i>
        ) : (
          part
        ),
      )}
    </>
  );
}

/** The head of the first table, two empty rows, and what else there will be: the shape of the result without made-up numbers. */
function ResultSketch({ declaration }: { declaration: Declaration }) {
  const tables = declaration.elements
    .filter((element) => element.type === 'table')
    .filter((table) => !table.hidden && table.when === null);
  const charts = declaration.elements.filter((element) => element.type === 'chart' || element.type === 'panel');
  // A matrix has no head of its own: its columns are the variables.
  const [first] = tables
    .filter((table) => table.place === 'main')
    .concat(tables)
    .filter((table) => table.columns.length > 1);
  if (first === undefined) return null;
  const columns = first.columns.slice(0, SKETCH_COLUMNS);
  return (
    <>
      <table className={styles['sketch']} aria-hidden="true">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key}>
                <ColumnTitle column={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[0, 1].map((row) => (
            <tr key={row}>
              {columns.map((column) => (
                <td key={column.key}>
                  {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a picture of a table, hidden from readers */}
                  <span />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles['also']}>
        {first.title}
        {tables.length > 1 ? `，另有 ${tables.length - 1} 张表` : ''}
        {charts.length > 0 ? `，${charts.length} 张图` : ''}，附结论、前提检验和文字解读
      </p>
    </>
  );
}

const NEAREST = 4;

/** 与相近方法的区别: what each of its neighbours answers and needs, so that one sees which is meant. */
function Nearest({ method, methods, onChoose }: Pick<MethodCardProps, 'method' | 'methods' | 'onChoose'>) {
  const near = methods.filter((one) => one.family === method.family && one !== method).slice(0, NEAREST);
  if (near.length === 0) return null;
  return (
    <>
      <h3 className={styles['label']}>与相近方法的区别</h3>
      <ul className={styles['nearest']}>
        <li>
          本方法：{method.purpose}（{method.needs}）
        </li>
        {near.map((neighbour) => (
          <li key={neighbour.algo_code}>
            <button type="button" className="hx-link" onClick={() => onChoose(neighbour.algo_code)}>
              {neighbour.title}
            </button>
            ：{neighbour.purpose}（{neighbour.needs}）
          </li>
        ))}
      </ul>
    </>
  );
}

export interface MethodCardProps {
  method: MethodRow;
  columns: readonly Column[] | null;
  /** Variables chosen for the recommendation. */
  picked: readonly Column[];
  /** All methods: those nearest to this one are told apart from it. */
  methods: readonly MethodRow[];
  onChoose: (path: string) => void;
  onStart: () => void;
  onExample: () => Promise<void>;
}

export function MethodCard({ method, columns, picked, methods, onChoose, onStart, onExample }: MethodCardProps) {
  const page = useQuery(methodQuery(method.algo_code));
  const access = useMethodAccess(method.algo_code, method.tier);
  const [trying, setTrying] = useState(false);
  const canStart = columns !== null || !method.needs_data;
  const why = columns === null || !method.takes_data ? null : unsuited(method, columns);
  const lacks = picked.length === 0 || !method.takes_data ? null : lacking(method, picked);
  const start =
    !method.takes_data || columns === null
      ? '开始'
      : picked.length === 0
        ? '用这份数据开始'
        : picked.length === 1
          ? '用这个变量开始'
          : picked.length === 2
            ? '用这两个变量开始'
            : `用这 ${picked.length} 个变量开始`;
  const example = async (): Promise<void> => {
    setTrying(true);
    await onExample().catch(() => undefined);
    setTrying(false);
  };
  return (
    <aside className={styles['card']} aria-label={method.title}>
      <div className={styles['scroll']}>
        <div className={styles['line']}>
          <h2>{method.title}</h2>
          <FavouriteButton key={method.algo_code} path={method.algo_code} title={method.title} />
        </div>
        <p className={styles['purpose']}>{method.purpose}</p>
        <h3 className={styles['label']}>需要</h3>
        <ul className={styles['needs']}>
          {method.needs_data ? null : (
            <li>{method.takes_data ? '可以直接填数，也可以用数据' : '不需要数据，直接填数'}</li>
          )}
          {needLines(method).map((line) => {
            const icon = NEED_ICON[line.measure];
            return (
              <li key={line.key}>
                {icon === undefined ? (
                  <span className={styles['any']} aria-hidden="true" />
                ) : (
                  <MeasureIcon kind={icon} decorative />
                )}
                {line.text}
              </li>
            );
          })}
        </ul>
        <h3 className={styles['label']}>结果的样子</h3>
        {page.data === undefined ? (
          <div className={styles['wait']} />
        ) : (
          <ResultSketch declaration={page.data.declaration} />
        )}
        <Nearest method={method} methods={methods} onChoose={onChoose} />
        {page.data === undefined || page.data.oracle.cases === 0 ? null : (
          <p className={styles['proof']}>已用独立软件核对 {page.data.oracle.cases} 例</p>
        )}
      </div>
      <div className={styles['foot']}>
        {access.state === 'locked' ? <LockedLine path={method.algo_code} title={method.title} /> : null}
        {!canStart ? null : why === null ? (
          <>
            {lacks === null ? null : <p className={styles['why']}>选的变量还不够：{lacks}，可以进去再放。</p>}
            <Button type="primary" block className={styles['start'] ?? ''} onClick={onStart}>
              {start}
            </Button>
          </>
        ) : (
          <p className={styles['why']}>这份数据还不能用：{why}</p>
        )}
        <div className={styles['links']}>
          <Button
            type={canStart ? 'link' : 'primary'}
            size={canStart ? 'small' : 'middle'}
            loading={trying}
            onClick={() => void example()}
          >
            {method.needs_data ? '示例数据试一试' : '填好的示例'}
          </Button>
          <a href={`/help/${method.slug}/`} target="_blank" rel="noreferrer">
            帮助文档
          </a>
        </div>
      </div>
    </aside>
  );
}
