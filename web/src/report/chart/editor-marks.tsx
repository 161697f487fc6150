/** What stands in the figure, in its editor: the order of the groups, error bars, points, brackets, reference lines. */
import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { groupsOf, inOrder, pairsOf, spreadsOf } from '@hengxi/contracts/chart/apply-edits';
import {
  type AxisName,
  type Brackets,
  type FigureEdit,
  offerOf,
  type ReferenceLine,
  type Spread,
  SPREAD_NAMES,
  typedNumber,
} from '@hengxi/contracts/chart/figure-edit';
import { Button, Input, Select, Switch } from 'antd';
import { useState } from 'react';

import { toast } from '../../lib/toast.ts';
import { AXES, type Change, Part, type PartProps, Row } from './editor-parts.tsx';
import styles from './figure-editor.module.css';

export function Groups({ chart, tables, edit, onChange }: PartProps) {
  const groups = inOrder(groupsOf(chart, tables), edit.order ?? []);
  if (groups.length < 2 || groups.length > 60) return null;
  const move = (at: number, by: number): void => {
    const next = [...groups];
    const [one] = next.splice(at, 1);
    if (one === undefined || at + by < 0 || at + by > next.length) return;
    next.splice(at + by, 0, one);
    onChange({ order: next });
  };
  return (
    <Part title="组的次序">
      <ol className={styles['groups']}>
        {groups.map((group, at) => (
          <li key={group}>
            <span className={styles['group']}>{group}</span>
            <Button
              size="small"
              type="text"
              icon={<ArrowUpOutlined aria-hidden />}
              aria-label={`上移${group}`}
              disabled={at === 0}
              onClick={() => move(at, -1)}
            />
            <Button
              size="small"
              type="text"
              icon={<ArrowDownOutlined aria-hidden />}
              aria-label={`下移${group}`}
              disabled={at === groups.length - 1}
              onClick={() => move(at, 1)}
            />
          </li>
        ))}
      </ol>
    </Part>
  );
}

const BRACKETS: { value: Brackets; label: string }[] = [
  { value: 'none', label: '不标' },
  { value: 'significant', label: '只标 p < .05 的' },
  { value: 'all', label: '全部比较' },
];

export function Marks({ chart, tables, edit, onChange }: PartProps) {
  const offer = offerOf(chart);
  const spreads = offer.spread ? spreadsOf(chart, tables) : [];
  const pairs = pairsOf(chart, tables);
  const hasPoints = offer.points !== null && !(chart.kind === 'interval' && chart.raw === null);
  if (spreads.length === 0 && pairs.length === 0 && !hasPoints) return null;
  return (
    <Part title="标记">
      {spreads.length > 0 ? (
        <Row label="误差线">
          <Select<Spread>
            size="small"
            aria-label="误差线"
            value={edit.spread ?? 'ci'}
            options={spreads.map((value) => ({ value, label: SPREAD_NAMES[value] }))}
            onChange={(spread) => onChange({ spread: spread === 'ci' ? undefined : spread })}
          />
        </Row>
      ) : null}
      {hasPoints ? (
        <Row label={offer.points ?? ''}>
          <Switch
            size="small"
            aria-label={offer.points ?? ''}
            checked={edit.points ?? true}
            onChange={(points) => onChange({ points: points ? undefined : false })}
          />
        </Row>
      ) : null}
      {pairs.length > 0 ? (
        <Row label="显著性括号">
          <Select<Brackets>
            size="small"
            aria-label="显著性括号"
            value={edit.brackets ?? 'none'}
            options={BRACKETS}
            onChange={(brackets) => onChange({ brackets: brackets === 'none' ? undefined : brackets })}
          />
        </Row>
      ) : null}
    </Part>
  );
}

interface LinesProps {
  edit: FigureEdit;
  axes: readonly AxisName[];
  onChange: (next: Change) => void;
}

export function Lines({ edit, axes, onChange }: LinesProps) {
  const [axis, setAxis] = useState<AxisName>(axes.includes('y') ? 'y' : 'x');
  const [at, setAt] = useState('');
  const [label, setLabel] = useState('');
  const lines = edit.lines ?? [];
  const keep = (next: ReferenceLine[]): void => onChange({ lines: next.length === 0 ? undefined : next });
  const add = (): void => {
    const x = typedNumber(at);
    if (x === null) {
      toast.warn('参考线的位置要填数字');
      return;
    }
    keep([...lines, { axis, at: x, label: label.trim() }]);
    setAt('');
    setLabel('');
  };
  return (
    <Part title="参考线">
      {lines.map((line, i) => (
        <div key={`${line.axis}${line.at}${line.label}`} className={styles['row']}>
          <span>
            {axes.length > 1 ? `${AXES[line.axis]} ` : ''}
            {line.at} {line.label}
          </span>
          <Button
            size="small"
            type="text"
            icon={<DeleteOutlined aria-hidden />}
            aria-label={`删除参考线 ${line.at}`}
            onClick={() => keep(lines.filter((_, k) => k !== i))}
          />
        </div>
      ))}
      <div className={styles['line']}>
        {axes.length > 1 ? (
          <Select<AxisName>
            size="small"
            aria-label="参考线在哪条轴上"
            value={axis}
            options={axes.map((value) => ({ value, label: AXES[value] }))}
            onChange={setAxis}
          />
        ) : null}
        <Input
          size="small"
          aria-label="参考线的位置"
          placeholder="位置"
          value={at}
          onChange={(e) => setAt(e.target.value)}
          onPressEnter={add}
        />
        <Input
          size="small"
          aria-label="参考线的文字"
          placeholder="文字（可空）"
          maxLength={60}
          value={label}
          onChange={(e) => setLabel(e.target.value)}
          onPressEnter={(event) => {
            if (!event.nativeEvent.isComposing) add();
          }}
        />
        <Button
          size="small"
          icon={<PlusOutlined aria-hidden />}
          aria-label="加参考线"
          onClick={add}
          disabled={lines.length >= 10}
        />
      </div>
    </Part>
  );
}
