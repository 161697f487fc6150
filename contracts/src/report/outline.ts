/** The fixed order of a report (ux 7), its numbered captions, and the entries of its outline. */
import type { Element, Part, Report, TableElement, TextElement } from '../../generated/contract.ts';

export interface Sections {
  lead: Extract<Element, { type: 'lead' }>[];
  main: Element[];
  checks: Extract<Element, { type: 'check' }>[];
  /** Tables and sentences that belong to the checks: robust alternatives. */
  besides: Element[];
  texts: TextElement[];
  detail: Element[];
  /** Notes by the id of the table or chart they stand under. */
  notes: ReadonlyMap<string, TextElement[]>;
  tables: ReadonlyMap<string, TableElement>;
  /** Numbers of the models by the ids of their elements; null where a model was not kept. */
  models: ReadonlyMap<string, number | null>;
}

export function sectionsOf(part: Part): Sections {
  const notes = new Map<string, TextElement[]>();
  const sections = { lead: [], main: [], checks: [], besides: [], texts: [], detail: [] } satisfies Partial<
    Record<keyof Sections, Element[]>
  >;
  const sectionsByType: Omit<Sections, 'notes' | 'tables' | 'models'> = sections;
  for (const element of part.elements) {
    if (element.type === 'lead') sectionsByType.lead.push(element);
    else if (element.type === 'text' && element.about !== null)
      notes.set(element.about, [...(notes.get(element.about) ?? []), element]);
    else if (element.type === 'check') sectionsByType.checks.push(element);
    else if (element.type === 'table' && element.hidden) continue;
    else if (element.place === 'check') sectionsByType.besides.push(element);
    else if (element.type === 'text') sectionsByType.texts.push(element);
    else if (element.place === 'main' || element.place === 'lead') sectionsByType.main.push(element);
    else sectionsByType.detail.push(element);
  }
  const tables = new Map(
    part.elements.flatMap((e): [string, TableElement][] => (e.type === 'table' ? [[e.id, e]] : [])),
  );
  const models = new Map(
    part.elements.flatMap((e): [string, number | null][] => (e.type === 'model' ? [[e.id, e.model_id]] : [])),
  );
  return { ...sectionsByType, notes, tables, models };
}

/** 表 1, 表 2 … and 图 1 … through the whole report, in the order they are read. */
export function numbersOf(report: Report): ReadonlyMap<string, string> {
  const numbers = new Map<string, string>();
  let table = 0;
  let figure = 0;
  report.parts.forEach((part, p) => {
    const { main, besides, detail } = sectionsOf(part);
    for (const element of [...main, ...besides, ...detail]) {
      if (element.type === 'table') numbers.set(keyOf(p, element.id), `表 ${(table += 1)}`);
      else if (element.type === 'chart' || element.type === 'panel')
        numbers.set(keyOf(p, element.id), `图 ${(figure += 1)}`);
    }
  });
  return numbers;
}

/** An element in a part: ids repeat between the parts of a split report. */
export function keyOf(part: number, id: string): string {
  return part === 0 ? id : `${part}/${id}`;
}

export interface OutlineEntry {
  id: string;
  title: string;
  level: 1 | 2;
}

export function anchor(part: number, name: string): string {
  return `r-${part}-${name}`;
}

export function outlineOf(report: Report): OutlineEntry[] {
  const split = report.parts.length > 1;
  const level = split ? 2 : 1;
  const entries = report.parts.flatMap((part, p): OutlineEntry[] => {
    const s = sectionsOf(part);
    const add = (name: string, title: string, there: boolean): OutlineEntry[] =>
      there ? [{ id: anchor(p, name), title, level }] : [];
    return [
      ...(split ? [{ id: anchor(p, 'part'), title: partTitle(part), level: 1 as const }] : []),
      ...add('lead', '结论', s.lead.length > 0),
      ...add(
        'table',
        '主表',
        s.main.some((e) => e.type === 'table'),
      ),
      ...add(
        'chart',
        '主图',
        s.main.some((e) => e.type === 'chart' || e.type === 'panel'),
      ),
      ...add('checks', '前提检验', s.checks.length > 0 || s.besides.length > 0),
      ...add('texts', '解读', s.texts.length > 0),
      ...add('sample', '样本说明', true),
      ...add('detail', '明细', s.detail.length > 0),
    ];
  });
  return [...entries, { id: anchor(0, 'method'), title: '方法说明与引用', level: 1 }];
}

/** Why a group has no result: what a form marks at several fields is one sentence. */
export function refusalLines({ refusal }: Part): string[] {
  return [...new Set((refusal?.fields ?? []).map(({ text }) => text))];
}

export function partTitle(part: Part): string {
  if (part.group === null) return '';
  return part.group.total ? part.group.label : `${part.group.name} = ${part.group.label}`;
}
