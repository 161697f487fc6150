/** The panel of a figure: what it offers is declared per kind. Presentation only; each change is one step that can be undone. */
import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { groupsOf, inOrder, pairsOf, spreadsOf } from '@hengxi/contracts/chart/edited';
import {
  type AxisName,
  type Brackets,
  type FigureEdit,
  type Limits,
  offerOf,
  type Palette,
  PALETTE_NAMES,
  PALETTES,
  POINTS,
  type ReferenceLine,
  type FigureSize,
  SIZE_NAMES,
  SIZES,
  type Spread,
  SPREAD_NAMES,
  typedNumber,
} from '@hengxi/contracts/chart/figure-edit';
import { fill, LIGHT, themed } from '@hengxi/contracts/chart/theme';
import type { ChartElement, TableElement } from '@hengxi/contracts/contract';
import { plain } from '@hengxi/contracts/format';
import { withAllFigures, withFigure } from '@hengxi/contracts/report/presentation';
import { Button, Drawer, Input, Radio, Select, Switch } from 'antd';
import { type ReactNode, useState } from 'react';

import { toast } from '../../lib/toast.ts';
import { useMedia } from '../../lib/use-media.ts';
import { useReport } from '../context.ts';
import styles from './figure-editor.module.css';

export interface FigureEditorProps {
  chart: ChartElement;
  tables: ReadonlyMap<string, TableElement>;
  name: string;
  /** What holds for the figure now. */
  edit: FigureEdit;
  caption: string;
  onClose: () => void;
}

type Change = { [K in keyof FigureEdit]?: FigureEdit[K] | undefined };

export function FigureEditor({ chart, tables, name, edit, caption, onClose }: FigureEditorProps) {
  const { presentation } = useReport();
  const isNarrow = useMedia('(max-width: 767px)');
  const offer = offerOf(chart);
  const change = (next: Change): void => presentation.change(withFigure(presentation.value, name, next));
  const isEdited = presentation.value.figures[name] !== undefined;
  return (
    <Drawer
      title={`编辑${caption}`}
      open
      mask={false}
      closable={{ 'aria-label': '关闭' }}
      placement={isNarrow ? 'bottom' : 'right'}
      size={isNarrow ? 420 : 340}
      onClose={onClose}
      footer={
        <div className={styles['acts']}>
          <Button size="small" disabled={!presentation.canUndo} onClick={() => presentation.undo()}>
            撤销
          </Button>
          <Button size="small" disabled={!presentation.canRedo} onClick={() => presentation.redo()}>
            重做
          </Button>
          <Button
            size="small"
            disabled={!isEdited}
            onClick={() => presentation.change(withoutFigure(presentation.value, name))}
          >
            还原此图
          </Button>
          <Button
            size="small"
            onClick={() => {
              presentation.change(withAllFigures(presentation.value, name));
              toast.done('颜色、字号和尺寸已套用到全部图');
            }}
          >
            套用到全部图
          </Button>
        </div>
      }
    >
      <div className={styles['form']}>
        <Part title="标题">
          <Typed
            label="图的标题"
            value={edit.title ?? ''}
            placeholder={plain(chart.title)}
            onDone={(title) => change({ title: title === '' ? undefined : title })}
          />
        </Part>
        {(['y', 'x'] as const).map((axis) => (
          <Axis key={axis} axis={axis} chart={chart} edit={edit} onChange={change} />
        ))}
        <Groups chart={chart} tables={tables} edit={edit} onChange={change} />
        <Marks chart={chart} tables={tables} edit={edit} onChange={change} />
        {offer.lines.length > 0 ? <Lines edit={edit} axes={offer.lines} onChange={change} /> : null}
        <Look edit={edit} hatched={offer.hatched} onChange={change} />
        <p className={styles['hint']}>只改变显示，不改变数字；可撤销，导出与分享都照此。</p>
      </div>
    </Drawer>
  );
}

function withoutFigure(value: ReturnType<typeof useReport>['presentation']['value'], name: string) {
  const { [name]: _, ...figures } = value.figures;
  return { ...value, figures };
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles['part']}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

interface TypedProps {
  label: string;
  value: string;
  placeholder?: string;
  onDone: (text: string) => void;
}

/** Text counts when the box is left or Enter is pressed: one step of undo, not one a letter. */
function Typed({ label, value, placeholder, onDone }: TypedProps) {
  const [own, setOwn] = useState<string | null>(null);
  const done = (): void => {
    if (own !== null && own.trim() !== value) onDone(own.trim());
    setOwn(null);
  };
  return (
    <Input
      size="small"
      aria-label={label}
      maxLength={200}
      placeholder={placeholder ?? ''}
      value={own ?? value}
      onChange={(event) => setOwn(event.target.value)}
      onBlur={done}
      onPressEnter={(event) => {
        if (!event.nativeEvent.isComposing) done();
      }}
    />
  );
}

interface PartProps {
  chart: ChartElement;
  tables: ReadonlyMap<string, TableElement>;
  edit: FigureEdit;
  onChange: (next: Change) => void;
}

const AXES: Record<AxisName, string> = { x: '横轴', y: '纵轴' };

function Axis({ axis, chart, edit, onChange }: Omit<PartProps, 'tables'> & { axis: AxisName }) {
  const offer = offerOf(chart);
  const hasTitle = offer.axes[axis] !== undefined;
  const hasLimits = offer.limits.includes(axis);
  if (!hasTitle && !hasLimits) return null;
  const named = chart.kind === 'interval' || chart.kind === 'bar' || chart.kind === 'box' ? '数值轴' : AXES[axis];
  const limits: Limits = edit.limits?.[axis] ?? { min: null, max: null, step: null };
  const bound = (key: keyof Limits, label: string) => (
    <Typed
      label={`${named}${label}`}
      value={limits[key] === null ? '' : String(limits[key])}
      placeholder={`${label}：自动`}
      onDone={(text) => {
        const x = typedNumber(text);
        if (text !== '' && x === null) return toast.warn(`${named}${label}要填数字`);
        const next = { ...limits, [key]: x };
        if (next.min !== null && next.max !== null && next.min >= next.max)
          return toast.warn(`${named}的最小值要小于最大值`);
        if (next.step !== null && next.step <= 0) return toast.warn(`${named}的间隔要大于 0`);
        const empty = next.min === null && next.max === null && next.step === null;
        const { [axis]: _, ...others } = edit.limits ?? {};
        const all = empty ? others : { ...others, [axis]: next };
        return onChange({ limits: Object.keys(all).length === 0 ? undefined : all });
      }}
    />
  );
  return (
    <Part title={named}>
      {hasTitle ? (
        <Typed
          label={`${named}名称`}
          value={edit.axes?.[axis] ?? ''}
          placeholder="名称：自动"
          onDone={(text) => {
            const { [axis]: _, ...others } = edit.axes ?? {};
            const all = text === '' ? others : { ...others, [axis]: text };
            onChange({ axes: Object.keys(all).length === 0 ? undefined : all });
          }}
        />
      ) : null}
      {hasLimits ? (
        <div className={styles['three']}>
          {offer.zero && axis === 'y' ? <span className={styles['hint']}>从 0 起</span> : bound('min', '最小值')}
          {bound('max', '最大值')}
          {bound('step', '间隔')}
        </div>
      ) : null}
    </Part>
  );
}

function Groups({ chart, tables, edit, onChange }: PartProps) {
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

function Marks({ chart, tables, edit, onChange }: PartProps) {
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

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles['row']}>
      <span>{label}</span>
      {children}
    </div>
  );
}

interface LinesProps {
  edit: FigureEdit;
  axes: readonly AxisName[];
  onChange: (next: Change) => void;
}

function Lines({ edit, axes, onChange }: LinesProps) {
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

function Look({ edit, hatched, onChange }: { edit: FigureEdit; hatched: boolean; onChange: (next: Change) => void }) {
  const palettes = PALETTES.filter((p) => hatched || p !== 'pattern');
  return (
    <Part title="样子">
      <Radio.Group
        aria-label="颜色"
        className={styles['palettes']}
        value={edit.palette ?? 'house'}
        onChange={(event) => {
          const palette: Palette = event.target.value;
          onChange({ palette });
        }}
      >
        {palettes.map((palette) => (
          <Radio key={palette} value={palette}>
            <span className={styles['palette']}>
              <span>{PALETTE_NAMES[palette]}</span>
              <Swatches palette={palette} />
            </span>
          </Radio>
        ))}
      </Radio.Group>
      <Row label="字号">
        <Select<number>
          size="small"
          aria-label="字号"
          value={edit.pt ?? 9}
          options={POINTS.map((value) => ({ value, label: `${value} pt` }))}
          onChange={(pt) => onChange({ pt })}
        />
      </Row>
      <Row label="尺寸">
        <Select<FigureSize | 'page'>
          size="small"
          aria-label="尺寸"
          value={edit.size ?? 'page'}
          options={[{ value: 'page', label: '随页面' }, ...SIZES.map((value) => ({ value, label: SIZE_NAMES[value] }))]}
          onChange={(size) => onChange({ size: size === 'page' ? undefined : size })}
        />
      </Row>
    </Part>
  );
}

function Swatches({ palette }: { palette: Palette }) {
  const theme = themed(LIGHT, { palette });
  return (
    <span className={styles['swatches']} aria-hidden="true">
      {[0, 1, 2, 3, 4].map((i) => {
        const { color } = fill(theme, i);
        return (
          <span
            key={i}
            className={palette === 'pattern' && i > 0 ? styles['hatched'] : undefined}
            style={{ backgroundColor: color }}
          />
        );
      })}
    </span>
  );
}
