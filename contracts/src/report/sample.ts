/** The sample account of a report as steps: how many rows each left, and why the others are out. */
import type { Sample } from '../../generated/contract.ts';
import { condition, integer } from '../format.ts';

export interface SampleStep {
  n: number;
  name: string;
  /** What happened before it: why how many went. */
  lost: { why: string; n: number } | null;
}

/** As the engine says it; those rows have a step of their own. */
const WEIGHTLESS = '权重缺失或为 0';
const gapsOf = (sample: Sample): Sample['why'] => sample.why.filter((w) => w.rows > 0 && w.reason !== WEIGHTLESS);

/** A method without data has no rows to account for. */
export const hasRows = (sample: Sample): boolean => sample.file > 0;

export function sampleSteps(sample: Sample, filter: string | null, group: string): SampleStep[] {
  const steps: SampleStep[] = [{ n: sample.file, name: '文件中的行', lost: null }];
  const add = (n: number, name: string, why: string): void => {
    const before = steps.at(-1)?.n ?? 0;
    if (n !== before) steps.push({ n, name, lost: { why, n: before - n } });
  };
  const out = [
    ...(group === '' ? [] : [`不属于 ${group}`]),
    ...(filter === null ? [] : [`不满足 ${condition(filter)}`]),
  ];
  add(sample.filter, group === '' ? '筛选后' : '本组', out.length === 0 ? '筛选' : out.join(' 或'));
  add(sample.weight, '加权后', WEIGHTLESS);
  const { chosen } = sample;
  if (chosen) add(sample.weight - chosen.rows, '所比较的组', chosenSaid(chosen));
  const missing = gapsOf(sample);
  const [only] = missing;
  // A group that was refused has no rows in any analysis, and nothing is missing: its own reason stands above.
  const none = sample.used === 0 && missing.length === 0;
  const gap = missing.length === 1 && only !== undefined ? (only.reason ?? `${only.name ?? ''}缺失`) : '有缺失';
  add(sample.used, '进入分析', none ? '这一组没有结果' : gap);
  const last = steps.at(-1);
  if (last !== undefined && last.name !== '进入分析') {
    // Rows with gaps do not enter the analysis of every variable: 全部 would be untrue of them.
    const entered = missesApart(sample) ? '各变量分别剔除缺失' : '全部进入分析';
    steps[steps.length - 1] = { ...last, name: steps.length === 1 ? entered : `${last.name}，${entered}` };
  }
  return steps;
}

const quoted = (labels: readonly string[]): string => labels.map((label) => `“${label}”`).join('');

/** Why rows of other levels take no part. */
const chosenSaid = ({ name, labels }: NonNullable<Sample['chosen']>): string => `“${name}”不是${quoted(labels)}`;

/** Rows out because of the filter, or of levels that are not compared. */
export const filteredOut = ({ file, filter, chosen }: Sample): number => file - filter + (chosen?.rows ?? 0);

/** Rows out because of gaps or weights. */
export const droppedOut = (sample: Sample): number => sample.file - sample.used - filteredOut(sample);

/** The steps in a line, without its full stop. */
export function stepsText(steps: readonly SampleStep[]): string {
  const [only] = steps;
  if (steps.length === 1 && only !== undefined)
    return only.name === '全部进入分析'
      ? `文件中的 ${integer(only.n)} 行全部进入分析`
      : `文件中有 ${integer(only.n)} 行，${only.name}`;
  return steps
    .map(
      ({ name, n, lost }) => `${name} ${integer(n)}${lost === null ? '' : `（${lost.why}，少 ${integer(lost.n)} 行）`}`,
    )
    .join(' → ');
}

/** More rows have a gap than fell out: each variable is analysed without its own. */
export function missesApart(sample: Sample): boolean {
  const lost = sample.weight - (sample.chosen?.rows ?? 0) - sample.used;
  return gapsOf(sample).some((gap) => gap.rows > lost);
}

/** What is missing in which variable; empty where one reason says it all. */
export function missingText(sample: Sample): string {
  const missing = gapsOf(sample);
  const apart = missesApart(sample);
  if (missing.length < 2 && !apart) return '';
  const list = missing.map((w) => `${w.reason ?? w.name ?? '未知变量'} ${integer(w.rows)} 行`).join('，');
  return `缺失：${list}（${apart ? '只在分析该变量时剔除' : '一行可缺多个变量'}）。`;
}

/** How many cases the report speaks of. A table of frequencies has few rows and many cases: say both. */
export function analysedText(sample: Sample): string {
  if (!hasRows(sample)) return '没有用到数据';
  const { used, weighted, chosen } = sample;
  const of = chosen ? `（“${chosen.name}”为${quoted(chosen.labels)}）` : '';
  return weighted === null
    ? `分析 ${integer(used)} 份${of}`
    : `分析 ${integer(used)} 行${of}，加权后 ${integer(weighted)} 例`;
}
