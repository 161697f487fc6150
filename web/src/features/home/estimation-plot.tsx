/** Two groups as single cases with mean and interval, and the difference on an axis of its own. */
import { interval, num } from '@hengxi/contracts/format';

import { swarm, ticks } from './swarm.ts';

interface Group {
  name: string;
  n: number;
  mean: number;
  interval: number[];
  values: number[];
}

interface EstimationPlotProps {
  groups: readonly Group[];
  contrast: { label: string; y: number; low: number; high: number };
  outcome: string;
}

const WIDTH = 620;
const TOP = 14;
const BOTTOM = 206;
const LEFT = 44;
const RIGHT = 400;
const DIFFERENCE = 486;
const AXIS = 572;
const RADIUS = 2.3;

export function EstimationPlot({ groups, contrast, outcome }: EstimationPlotProps) {
  const values = groups.flatMap((group) => group.values);
  const marks = ticks(Math.min(...values), Math.max(...values));
  const low = Math.min(...values, ...marks);
  const high = Math.max(...values, ...marks);
  const y = (value: number) => BOTTOM - ((value - low) / (high - low)) * (BOTTOM - TOP);
  const [first, second] = groups;
  if (!first || !second) return null;
  const middle = (place: number) => LEFT + ((RIGHT - LEFT) * (place * 2 + 1)) / (groups.length * 2);
  // The difference is drawn to the same scale, with its zero at the second group's mean.
  const yDifference = (value: number) => y(second.mean + value);
  const least = Math.min(0, contrast.low);
  const most = Math.max(0, contrast.high);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} 240`}
      width="100%"
      style={{ display: 'block', maxWidth: WIDTH, margin: '12px auto 0', fontSize: 12 }}
      fill="var(--ink-2)"
      role="img"
      aria-label={`${first.name}与${second.name}的${outcome}：每个点是一例，空心标记是均值，竖线是 95% 置信区间；右侧为均值差 ${num(contrast.y)} ${interval(contrast.low, contrast.high)}`}
    >
      {marks.map((mark) => (
        <g key={mark}>
          <line x1={LEFT} x2={RIGHT} y1={y(mark)} y2={y(mark)} stroke="var(--line-2)" />
          <text x={LEFT - 8} y={y(mark) + 4} textAnchor="end">
            {mark}
          </text>
        </g>
      ))}
      <line x1={LEFT} x2={RIGHT} y1={BOTTOM} y2={BOTTOM} stroke="var(--ink-3)" />
      {groups.map((group, place) => (
        <GroupDots key={group.name} group={group} x={middle(place)} place={place} y={y} />
      ))}
      {groups.map((group, place) => (
        <line
          key={group.name}
          x1={middle(place) + 8}
          x2={AXIS - 6}
          y1={y(group.mean)}
          y2={y(group.mean)}
          stroke="var(--ink-3)"
          strokeDasharray="2 3"
        />
      ))}
      <line
        x1={DIFFERENCE}
        x2={DIFFERENCE}
        y1={yDifference(contrast.low)}
        y2={yDifference(contrast.high)}
        stroke="var(--ink)"
        strokeWidth="2"
      />
      <circle cx={DIFFERENCE} cy={yDifference(contrast.y)} r="4.5" fill="var(--ink)" />
      <line x1={AXIS} x2={AXIS} y1={yDifference(most)} y2={yDifference(least)} stroke="var(--ink-3)" />
      {ticks(least, most).map((mark) => (
        <g key={mark}>
          <line x1={AXIS} x2={AXIS + 4} y1={yDifference(mark)} y2={yDifference(mark)} stroke="var(--ink-3)" />
          <text x={AXIS + 8} y={yDifference(mark) + 4}>
            {num(mark, Number.isInteger(mark) ? 0 : 1)}
          </text>
        </g>
      ))}
      <text x={DIFFERENCE + 8} y={yDifference(most) - 26} textAnchor="middle" fontWeight="600" fill="var(--ink)">
        均值差 {num(contrast.y)}
      </text>
      <text x={DIFFERENCE + 8} y={yDifference(most) - 11} textAnchor="middle">
        {interval(contrast.low, contrast.high)}
      </text>
      <text x={DIFFERENCE} y={BOTTOM + 20} textAnchor="middle">
        {contrast.label}
      </text>
    </svg>
  );
}

interface GroupDotsProps {
  group: Group;
  x: number;
  place: number;
  y: (value: number) => number;
}

function GroupDots({ group, x, place, y }: GroupDotsProps) {
  const [low, high] = group.interval;
  const dots = swarm(group.values.map(y), RADIUS);
  const mean = y(group.mean);
  return (
    <g>
      <g fill={place === 0 ? 'var(--c1)' : 'var(--c2)'} fillOpacity="var(--dot-opacity)">
        {dots.map((dot, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a dot is its place
          <circle key={at} cx={x + dot.x} cy={dot.y} r={RADIUS} />
        ))}
      </g>
      <line x1={x} x2={x} y1={y(low ?? group.mean)} y2={y(high ?? group.mean)} stroke="var(--ink)" strokeWidth="2" />
      {place === 0 ? (
        <circle cx={x} cy={mean} r="5" fill="var(--paper)" stroke="var(--ink)" strokeWidth="1.6" />
      ) : (
        <path d={`M${x} ${mean - 6}l6 6-6 6-6-6z`} fill="var(--paper)" stroke="var(--ink)" strokeWidth="1.6" />
      )}
      <text x={x} y={BOTTOM + 20} textAnchor="middle" fill="var(--ink)">
        {group.name}（<tspan fontStyle="italic">n</tspan> = {group.n}）
      </text>
    </g>
  );
}
