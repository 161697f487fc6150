/** One variable: what it is and why, its distribution, its figures, its most frequent values; order and type from here. */
import { CloseOutlined, DownOutlined } from '@ant-design/icons';
import type { Column, Version } from '@hengxi/server/files/schema';
import { Button, Segmented } from 'antd';
import { Link } from 'react-router';

import { endText, figureText } from '../../../fields/clock.ts';
import { levelTitle, titleOf } from '../../../fields/column.ts';
import { retyped } from '../../../fields/retype.ts';
import { meaningFor, unscorable } from '../../../fields/scoring.ts';
import { formatCount } from '../../../lib/format-size.ts';
import { DropMenu } from '../../../ui/drop-menu.tsx';
import { MEASURE_KINDS, MeasureIcon, type MeasureKind, measureKind } from '../../../ui/measure-icon.tsx';
import { MiniHistogram } from './grid/mini-histogram.tsx';
import { useEdits } from './use-edits.ts';
import { type Picked, rowsWhere, type TableView } from './use-table-view.ts';
import styles from './variable-card.module.css';

/** A set of several columns cannot be made out of one. */
const KINDS: readonly MeasureKind[] = MEASURE_KINDS.filter((kind) => kind !== '多选题集');

interface VariableCardProps {
  version: Version;
  column: Column;
  view: TableView;
  onPick: (picked: Picked) => void;
  onClose: () => void;
}

export function VariableCard({ version, column, view, onPick, onClose }: VariableCardProps) {
  return (
    <section aria-label={titleOf(column)} className={styles['card']}>
      <div className={styles['head']}>
        <h2>{titleOf(column)}</h2>
        <Button
          type="text"
          size="small"
          icon={<CloseOutlined aria-hidden />}
          aria-label="关闭变量卡"
          onClick={onClose}
        />
      </div>
      {column.label ? <p className={styles['name']}>{column.name}</p> : null}
      <Type version={version} column={column} />
      <MiniHistogram column={column} width={264} height={72} />
      {column.storage === 'text' && column.measure === '文本' ? (
        <p className={styles['name']}>
          <Link to={`/analysis/coding?vid=${version.vid}&column=${column.id}`}>给这一列的回答编码</Link>
        </p>
      ) : null}
      <Range column={column} />
      <Figures column={column} onPick={onPick} />
      <Values column={column} />
      <Order column={column} view={view} />
    </section>
  );
}

function Type({ version, column }: { version: Version; column: Column }) {
  const { edit } = useEdits(version);
  const kind = measureKind(column);
  const items = KINDS.filter((measure) => measure !== '定量' || unscorable([column]).length === 0).map((one) => ({
    key: one,
    icon: <MeasureIcon kind={one} decorative />,
    label: (
      <span>
        {one} <small className={styles['meaning']}>{meaningFor(column, one)}</small>
      </span>
    ),
    onClick: () => one !== kind && edit.mutate([retyped(column, one)]),
  }));
  return (
    <div className={styles['type']}>
      <DropMenu menu={{ items, selectable: true, selectedKeys: [kind] }}>
        <Button size="small" loading={edit.isPending} icon={<MeasureIcon kind={kind} decorative />}>
          {kind} <DownOutlined aria-hidden />
        </Button>
      </DropMenu>
      {column.why ? <span>{column.why}</span> : null}
    </div>
  );
}

function Range({ column }: { column: Column }) {
  const { min, max } = column.profile;
  if (min === null || min === undefined || max === null || max === undefined || column.measure === '定类') return null;
  return (
    <div className={styles['range']} aria-hidden="true">
      <span>{endText(min, column)}</span>
      <span>{endText(max, column)}</span>
    </div>
  );
}

function Figures({ column, onPick }: { column: Column; onPick: (picked: Picked) => void }) {
  const { n, missing, distinct, mean, sd, median, q1, q3, min, max } = column.profile;
  const figures: [string, string][] = [['不同取值', formatCount(distinct ?? 0)]];
  const text = (value: number): string => figureText(value, column);
  if (column.measure === '定量') {
    if (typeof mean === 'number') figures.push(['均值', text(mean)]);
    if (typeof sd === 'number') figures.push(['标准差', text(sd)]);
    if (typeof median === 'number') figures.push(['中位数', text(median)]);
    if (typeof q1 === 'number' && typeof q3 === 'number') figures.push(['四分位', `${text(q1)} – ${text(q3)}`]);
  }
  if (typeof min === 'number' && typeof max === 'number')
    figures.push(['范围', `${endText(min, column)} – ${endText(max, column)}`]);
  return (
    <dl className={styles['figures']}>
      <dt>有效</dt>
      <dd>{formatCount(n)}</dd>
      <dt>缺失</dt>
      <dd>
        {missing > 0 ? (
          <button
            type="button"
            className="hx-link"
            onClick={() => onPick(rowsWhere(`“${titleOf(column)}”缺失的行`, `missing({${column.id}})`))}
          >
            {formatCount(missing)}（{((missing / (n + missing)) * 100).toFixed(1)}%）
          </button>
        ) : (
          '0'
        )}
      </dd>
      {figures.map(([name, value]) => (
        <div key={name} className={styles['pair']}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const VALUES = 8;

/** Categories in their order with labels, or the most frequent values. */
function Values({ column }: { column: Column }) {
  const levels = (column.levels ?? []).map((level) => ({ text: levelTitle(level), count: level.count ?? 0 }));
  const top = (column.profile.top ?? []).map((item) => ({ text: String(item.value), count: item.count }));
  const rows = levels.length > 0 ? levels : column.measure === '定量' ? [] : top;
  if (rows.length === 0) return null;
  const most = Math.max(1, ...rows.map((row) => row.count));
  return (
    <>
      <h3 className={styles['sub']}>{levels.length > 0 ? '类别' : '最多的取值'}</h3>
      <ul className={styles['values']}>
        {rows.slice(0, VALUES).map((row) => (
          <li key={row.text}>
            <span className={styles['word']}>{row.text}</span>
            <span className={styles['track']} aria-hidden="true">
              <span style={{ width: `${(row.count / most) * 100}%` }} />
            </span>
            <span className={styles['count']}>{formatCount(row.count)}</span>
          </li>
        ))}
      </ul>
      {rows.length > VALUES ? <p className={styles['more']}>还有 {rows.length - VALUES} 个</p> : null}
    </>
  );
}

type OrderKey = 'none' | 'up' | 'down';

function Order({ column, view }: { column: Column; view: TableView }) {
  const mine = view.sort?.column === column.id ? view.sort : null;
  const value: OrderKey = mine === null ? 'none' : mine.desc ? 'down' : 'up';
  return (
    <>
      <h3 className={styles['sub']}>按它排序</h3>
      <Segmented<OrderKey>
        block
        size="small"
        aria-label="按它排序"
        value={value}
        options={[
          { value: 'none', label: '原顺序' },
          { value: 'up', label: '升序' },
          { value: 'down', label: '降序' },
        ]}
        onChange={(key) => view.setSort(key === 'none' ? null : { column: column.id, desc: key === 'down' })}
      />
    </>
  );
}
