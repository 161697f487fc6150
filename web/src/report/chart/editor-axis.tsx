/** Names and limits of an axis, in the figure editor. */
import { type AxisName, type Limits, offerOf, typedNumber } from '@hengxi/contracts/chart/figure-edit';

import { toast } from '../../lib/toast.ts';
import { AXES, Part, type PartProps, Typed } from './editor-parts.tsx';
import styles from './figure-editor.module.css';

export function Axis({ axis, chart, edit, onChange }: Omit<PartProps, 'tables'> & { axis: AxisName }) {
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
      // Three stand in a line: the word is short there.
      placeholder={`${label.replace('值', '')}：自动`}
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
