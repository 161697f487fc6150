/** What of a report can be shown or kept back: its blocks in the order they are read, with the words their reader sees. */
import type { Element, Report } from '@hengxi/contracts/contract';
import { plain } from '@hengxi/contracts/format';

import { numbersOf, sectionsOf } from '@hengxi/contracts/report/outline';

export interface Block {
  /** Ids of the elements it stands for. */
  ids: string[];
  title: string;
  /** Not among the main results. */
  detail?: true;
  /** Only for its owner: goes out only when ticked. */
  own?: true;
}

function titled(element: Element, number: string | undefined): string {
  const words = 'title' in element ? plain(element.title) : '';
  const at = element.at === null ? '' : `：${element.at}`;
  return `${number === undefined ? '' : `${number} `}${words}${at}`;
}

/** Ids repeat between the parts of a split report: one tick shows or hides a block in all of them. */
export function blocksOf(report: Report): Block[] {
  const numbers = numbersOf(report);
  const blocks = new Map<string, Block>();
  const add = (key: string, title: string, ids: string[], detail = false): void => {
    if (ids.length === 0) return;
    const known = blocks.get(key);
    if (known === undefined) blocks.set(key, { ids: [...ids], title, ...(detail ? { detail } : {}) });
    else known.ids.push(...ids.filter((id) => !known.ids.includes(id)));
  };
  for (const part of report.parts) {
    const s = sectionsOf(part);
    add(
      'lead',
      '结论',
      s.lead.map((e) => e.id),
    );
    for (const e of s.main) add(e.id, titled(e, numbers.get(e.id)) || '说明', [e.id]);
    add(
      'checks',
      '前提检验',
      [...s.checks, ...s.besides].map((e) => e.id),
    );
    add(
      'texts',
      '解读',
      s.texts.map((e) => e.id),
      true,
    );
    for (const e of s.detail)
      if (!OWNERS_ONLY.has(e.type))
        add(e.id, `明细：${titled(e, numbers.get(e.id)) || '说明'}`, [e.id], e.type !== 'warning');
  }
  return [...blocks.values()];
}

/** For exports, also what is not an element: the sample account, the method, the owner's note. */
export function exportBlocks(report: Report, note: string): Block[] {
  return [
    ...blocksOf(report),
    { ids: ['sample'], title: '样本说明' },
    { ids: ['method'], title: '方法与参考文献' },
    ...(note.trim() === '' ? [] : [{ ids: ['note'], title: '备注（只有自己看得到）', own: true as const }]),
  ];
}

/** Never shown to visitors, whatever is ticked. */
const OWNERS_ONLY: ReadonlySet<Element['type']> = new Set(['data', 'model', 'file', 'try']);
