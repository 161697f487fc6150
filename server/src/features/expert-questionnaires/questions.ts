/** What a content asks, key by key; whether it may be published; whether an answer is one. */
import { Fault } from '../../lib/errors.ts';
import { LIMITS } from './schema.ts';
import type { AnswerValue, Content, Kind, TreeNode } from './schema.ts';

export interface Pair {
  key: string;
  /** Column title: what is compared under what. */
  title: string;
}

export const walk = (node: TreeNode): TreeNode[] => [node, ...node.children.flatMap(walk)];

const pairsOf = (above: TreeNode, below: readonly { id: string; name: string }[]): Pair[] =>
  below.flatMap((first, i) =>
    below.slice(i + 1).map((second) => ({
      key: `pair:${above.id}:${first.id}:${second.id}`,
      title: `${above.name}：${first.name}比${second.name}`,
    })),
  );

/** All comparisons in the engine's order: every node from the top, then the alternatives under every lowest node. */
export function pairs({ tree, alternatives }: Pick<Content, 'tree' | 'alternatives'>): Pair[] {
  const nodes = walk(tree);
  const low = alternatives.length > 0 ? nodes.filter(({ children }) => children.length === 0) : [];
  return [
    ...nodes.flatMap((node) => pairsOf(node, node.children)),
    ...low.flatMap((node) => pairsOf(node, alternatives)),
  ];
}

/** Keys an answer sheet should hold: scores or comparisons, without comments. */
export function askedKeys(kind: Kind, content: Content, items: readonly string[]): string[] {
  if (kind === 'ahp') return pairs(content).map(({ key }) => key);
  return items.map((id) => `item:${id}`);
}

const refuse = (text: string): Fault => new Fault(32106, { text });

/** Refuses content that cannot be asked, naming the place. */
export function demandAskable(kind: Kind, content: Content): void {
  if (content.consent === '') throw refuse('请填写知情同意书，专家作答前要看到它');
  const named = kind === 'ahp' ? [...walk(content.tree), ...content.alternatives] : content.items.map(asNamed);
  const ids = named.map(({ id }) => id);
  if (new Set(ids).size < ids.length) throw refuse('有两个指标的编号相同，请删去其中一个');
  if (named.some(({ name }) => name === '')) throw refuse('有指标还没有名称，请填写或删去');
  if (kind === 'delphi') demandItems(content);
  else demandTree(content);
}

const asNamed = ({ id, text }: { id: string; text: string }) => ({ id, name: text });

function demandItems({ items, protocol }: Content): void {
  if (items.length < 2) throw refuse('至少需要 2 个指标');
  const texts = items.map(({ dimension, text }) => `${dimension}\0${text}`);
  const again = items.find((_, at) => texts.indexOf(texts[at] ?? '') !== at);
  if (again) throw refuse(`指标“${again.text}”出现了两次，请删去其中一个`);
  if (protocol.rule === 'rand_ucla' && protocol.scale_max !== 9)
    throw refuse('RAND/UCLA 标准只用于 9 级评分，请改量表或换一条标准');
}

function demandTree({ tree, alternatives }: Content): void {
  const nodes = walk(tree);
  if (tree.children.length < 2) throw refuse('目标下至少需要 2 个准则');
  if (nodes.length > LIMITS.nodes) throw refuse(`层次里最多 ${LIMITS.nodes} 个指标，现在有 ${nodes.length} 个`);
  const lonely = nodes.find(({ children }) => children.length === 1);
  if (lonely) throw refuse(`“${lonely.name}”下只有 1 个下级，无法比较，请再加一个或删去它`);
  if (alternatives.length === 1) throw refuse('只有 1 个方案，无法比较，请再加一个或删去它');
  for (const { name, children } of [...nodes, { name: '方案', children: alternatives }]) {
    const again = children.find((one, at) => children.findIndex((other) => other.name === one.name) !== at);
    if (again) throw refuse(`“${name}”下有两个“${again.name}”，请改名`);
  }
}

const AUTHORITY = new Set(['ca', 'cs']);

/** Refuses what is no answer to this question: unknown, out of the scale, of another kind. */
export function demandAnswer(asked: ReadonlySet<string>, scaleMax: number, key: string, value: AnswerValue): void {
  if (key.startsWith('comment:')) {
    if (!asked.has(`item:${key.slice('comment:'.length)}`)) throw refuse('这一题不在本轮问卷里，请刷新页面');
    if (typeof value !== 'string') throw refuse('意见要是文字');
    return;
  }
  if (AUTHORITY.has(key)) {
    if (value !== null && (typeof value !== 'number' || value < 0 || value > 1))
      throw refuse('判断依据和熟悉程度要在 0 到 1 之间');
    return;
  }
  if (!asked.has(key)) throw refuse('这一题不在本轮问卷里，请刷新页面');
  if (value === null) return;
  if (key.startsWith('item:')) {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > scaleMax)
      throw refuse(`评分要是 1 到 ${scaleMax} 的整数，收到 ${shown(value)}`);
    return;
  }
  if (typeof value !== 'object') throw refuse('比较要说明哪一项更重要');
  if (!Number.isInteger(value.value) || value.value < 1 || value.value > 9)
    throw refuse(`判断要是 1 到 9 的整数，收到 ${value.value}；后一项更重要时请选另一侧`);
}

const shown = (value: AnswerValue): string => (typeof value === 'number' ? String(value) : '其他内容');
