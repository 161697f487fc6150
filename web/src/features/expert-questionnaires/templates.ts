/** What a new questionnaire may begin from; and one as a file, to be kept and read in again. */
import type { Item, Kind, NewProject, Project, TreeNode } from '@hengxi/server/expert-questionnaires/schema';

type Start = Omit<NewProject, 'content'> & { content?: Record<string, unknown> };

export interface Template {
  key: string;
  name: string;
  what: string;
  start: Start;
}

const item = (id: string, dimension: string, text: string): Item => ({ id, dimension, text, note: '' });
const node = (id: string, name: string, children: TreeNode[] = []): TreeNode => ({ id, name, children });

export const TEMPLATES: readonly Template[] = [
  { key: 'delphi', name: '空白德尔菲', what: '从头写指标', start: { kind: 'delphi', title: '未命名的德尔菲问卷' } },
  {
    key: 'screening',
    name: '指标筛选德尔菲',
    what: '5 级重要性评分，按均值与变异系数筛选，最多 3 轮',
    start: {
      kind: 'delphi',
      title: '指标筛选（德尔菲）',
      content: {
        items: [item('n1', '维度一', '指标 1'), item('n2', '维度一', '指标 2'), item('n3', '维度二', '指标 3')],
      },
    },
  },
  {
    key: 'rand',
    name: 'RAND/UCLA 适宜性',
    what: '9 级评分，两轮，按中位数与分歧判断',
    start: {
      kind: 'delphi',
      title: '适宜性评分（RAND/UCLA）',
      content: {
        items: [item('n1', '情形一', '做法 1'), item('n2', '情形一', '做法 2')],
        protocol: { asks: 'agreement', scale_max: 9, rule: 'rand_ucla', agree_from: 7, max_rounds: 2 },
      },
    },
  },
  { key: 'ahp', name: '空白 AHP', what: '从头搭层次', start: { kind: 'ahp', title: '未命名的 AHP 问卷' } },
  {
    key: 'flat',
    name: '单层 AHP',
    what: '一个目标，几项准则，得到权重',
    start: {
      kind: 'ahp',
      title: '准则权重（单层 AHP）',
      content: {
        tree: node(
          'goal',
          '总目标',
          ['准则 1', '准则 2', '准则 3'].map((name, at) => node(`n${at + 1}`, name)),
        ),
      },
    },
  },
  {
    key: 'deep',
    name: '多层 AHP 与方案',
    what: '目标、准则、子准则，加上要排序的方案',
    start: {
      kind: 'ahp',
      title: '方案选择（多层 AHP）',
      content: {
        tree: node('goal', '总目标', [
          node('n1', '准则 1', [node('n3', '子准则 1'), node('n4', '子准则 2')]),
          node('n2', '准则 2', [node('n5', '子准则 3'), node('n6', '子准则 4')]),
        ]),
        alternatives: [
          { id: 'n7', name: '方案 1' },
          { id: 'n8', name: '方案 2' },
        ],
      },
    },
  },
];

const FORMAT = 'hengxi-expert-questionnaire';

/** Structure only: no experts, no answers. */
export const fileOf = ({ kind, title, content }: Pick<Project, 'kind' | 'title' | 'content'>): string =>
  `${JSON.stringify({ format: FORMAT, version: 1, kind, title, content }, null, 2)}\n`;

/** Null for any other file; what is inside is judged by the server. */
export function startOf(text: string): Start | null {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null || !('format' in read) || read.format !== FORMAT) return null;
    const { kind, title, content } = read as unknown as { kind: Kind; title: string; content: Record<string, unknown> };
    return { kind, title, content };
  } catch {
    return null;
  }
}

/** The items that were kept as a hierarchy: dimensions above, items below; ids stay, so that each weight has its history. */
export function hierarchyOf({ title, content, rounds }: Pick<Project, 'title' | 'content' | 'rounds'>): Start {
  const rejected = new Set(
    rounds.flatMap(({ decisions }) => Object.keys(decisions).filter((id) => decisions[id] === 'rejected')),
  );
  const kept = content.items.filter(({ id }) => !rejected.has(id));
  const taken = new Set([...kept.map(({ id }) => id), 'goal']);
  const fresh = (at: number): string => {
    let id = `d${at}`;
    while (taken.has(id)) id = `${id}x`;
    taken.add(id);
    return id;
  };
  const dimensions = [...new Set(kept.map(({ dimension }) => dimension))];
  const children = dimensions.flatMap((dimension, at): TreeNode[] => {
    const items = kept.filter((one) => one.dimension === dimension).map(({ id, text }) => node(id, text.slice(0, 100)));
    // One item alone is not compared: it stands in its dimension's place.
    return dimension === '' || items.length < 2 ? items : [node(fresh(at), dimension, items)];
  });
  return {
    kind: 'ahp',
    title: `${title.slice(0, 52)}的权重`,
    content: { background: content.background, organiser: content.organiser, tree: node('goal', title, children) },
  };
}
