/**
 * 隐藏小于 5 的频数, done before the report leaves the server. A hidden count must not come back by subtraction: among
 * counts that add up to something known at least two are hidden or none, in every table alike; what is made of a hidden
 * count (its percentages, cumulative columns, standard errors) goes with it, and sentences lose the same numbers.
 *
 * The rule is about counts: how many people there are of a kind, or were left out for a reason. What describes them (means,
 * standard deviations, quartiles, figures of these) stays, since a report without it says nothing; whoever must not show
 * the mean of three people leaves the block out. Single cases are never part of a share with hidden counts.
 * The account of the sample is shown whole or, where a step or a reason is small, only by the rows analysed: with any
 * other number of it, in the whole or in one group, the small one would follow by subtraction.
 */
import type { Element, Part } from '@hengxi/contracts/contract';
import { SMALL, cellsToHide, clearTable } from './count-cells.ts';
import type { Hidden, Sheet } from './count-cells.ts';
import { hideInSentences } from './count-sentences.ts';
import type { ReportDocument } from './schema.ts';

export function hideSmallCounts(document: ReportDocument): ReportDocument {
  const told = tellsSmall(document) ? onlyUsed : (sample: Sample): Sample => sample;
  const parts = document.parts.map((part) => ({ ...part, sample: told(part.sample) }));
  return { ...document, sample: told(document.sample), parts: largeParts(parts.map(hideInPart)) };
}

type Sample = Part['sample'];

const isSmall = (count: number): boolean => count > 0 && count < SMALL;

/** How many rows each step took, each reason gave, and no group has. */
function tellsSmall({ sample, parts }: ReportDocument): boolean {
  const groups = parts.filter(({ group }) => group !== null && !group.total);
  const inGroups = groups.reduce((sum, part) => sum + part.sample.filter, 0);
  const whole = parts.find(({ group }) => group?.total === true)?.sample ?? sample;
  const inNone = groups.length === 0 ? 0 : whole.filter - inGroups;
  return isSmall(inNone) || [sample, ...parts.map((part) => part.sample)].some((one) => losses(one).some(isSmall));
}

function losses({ file, filter, weight, used, chosen, why }: Sample): number[] {
  const others = chosen?.rows ?? 0;
  return [file - filter, filter - weight, others, weight - others - used, ...why.map(({ rows }) => rows)];
}

function onlyUsed(sample: Sample): Sample {
  const { used, chosen } = sample;
  const bare = { file: used, filter: used, weight: used, missing: used, why: [] };
  return { ...sample, ...bare, chosen: chosen && { ...chosen, rows: 0 } };
}

interface Done {
  part: Part;
  hasHidden: boolean;
}

/**
 * Of a report by groups: a group of fewer than five is left out, with the next smallest if it is the only one, and what
 * is hidden in one group must not follow from the others and the total.
 */
function largeParts(done: Done[]): Part[] {
  const groups = done.filter(({ part }) => part.group !== null && !part.group.total);
  if (groups.length === 0) return done.map(({ part }) => part);
  const small = groups.filter(({ part }) => part.sample.used < SMALL);
  const [next] = groups
    .filter((one) => !small.includes(one))
    .toSorted((a, b) => a.part.sample.used - b.part.sample.used);
  const left = new Set(small.length === 1 && next ? [...small, next] : small);
  const isTotalSafe = left.size === 0 && groups.every(({ hasHidden }) => !hasHidden);
  return done
    .filter((one) => !left.has(one) && (isTotalSafe || one.part.group?.total !== true))
    .map(({ part }) => part);
}

function hideInPart(part: Part): Done {
  const sheets = new Map<Element, Sheet>();
  const hidden: Hidden = {
    counts: new Set(),
    shares: new Set(),
    labels: new Set(),
    pairs: new Set(),
    expected: new Set(),
  };
  for (const [table, sheet] of cellsToHide(part.elements.filter((element) => element.type === 'table')))
    sheets.set(table, sheet);
  const cases = singleCases(part.elements);
  const broken = new Set([...sheets.keys()].map(({ id }) => id));
  const cleared = part.elements
    .filter((element) => !(element.type === 'table' && cases.has(element.id)) && !isWholeOf(element, broken))
    .map((element) => {
      const sheet = sheets.get(element);
      return sheet ? clearTable(sheet, hidden) : element;
    });
  const elements = cleared.map((element) => withoutDots(hideInSentences(element, hidden)));
  return { part: { ...part, elements }, hasHidden: hidden.counts.size > 0 };
}

/** A figure that divides a whole would divide what is left of it: every share in it would be wrong. */
const isWholeOf = (element: Element, broken: Set<string>): boolean =>
  element.type === 'chart' && (element.kind === 'share' || element.kind === 'mosaic') && broken.has(element.of);

/** Tables of single cases behind a chart: counting the dots of a group would give its size. */
function singleCases(elements: Element[]): Set<string> {
  const hidden = new Set<string>();
  for (const chart of elements.flatMap((element) => (element.type === 'panel' ? element.charts : [element])))
    if (chart.type === 'chart' && chart.kind === 'interval' && chart.raw) hidden.add(chart.raw.of);
  return hidden;
}

function withoutDots(element: Element): Element {
  if (element.type === 'chart') return element.kind === 'interval' ? { ...element, raw: null } : element;
  if (element.type !== 'panel') return element;
  return {
    ...element,
    charts: element.charts.map((chart) => (chart.kind === 'interval' ? { ...chart, raw: null } : chart)),
  };
}
