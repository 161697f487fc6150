/** What a content asks, key by key; whether it may be published; whether an answer is one. */
import { isCompared } from '@hengxi/contracts/expert-methods';
import { Fault } from '../../lib/errors.ts';
import { ABOUT_OPTIONS, INFLUENCES, LIMITS, MOST_YEARS } from './schema.ts';
import type { AnswerValue, Content, Kind, Protocol, TreeNode } from './schema.ts';

export interface Pair {
  key: string;
  /** Column title: what is compared under what. */
  title: string;
  /** False where the design leaves it out; its place among the columns stays. */
  isAsked: boolean;
}

export const walk = (node: TreeNode): TreeNode[] => [node, ...node.children.flatMap(walk)];

const pairsOf = (above: TreeNode, below: readonly { id: string; name: string }[], design: Protocol['design']): Pair[] =>
  below.flatMap((first, i) =>
    below.slice(i + 1).map((second, k) => ({
      key: `pair:${above.id}:${first.id}:${second.id}`,
      title: `${above.name}：${first.name}比${second.name}`,
      isAsked: isCompared(design, below.length, i, i + 1 + k),
    })),
  );

/** All comparisons in the engine's order: every node from the top, then the alternatives under every lowest node. */
export function pairs({ tree, alternatives, protocol }: Content): Pair[] {
  const nodes = walk(tree);
  const low = alternatives.length > 0 ? nodes.filter(({ children }) => children.length === 0) : [];
  return [
    ...nodes.flatMap((node) => pairsOf(node, node.children, protocol.design)),
    ...low.flatMap((node) => pairsOf(node, alternatives, protocol.design)),
  ];
}

/** Keys an answer sheet should hold: scores or comparisons, without comments. */
export function askedKeys(kind: Kind, content: Content, items: readonly string[]): string[] {
  if (kind === 'ahp')
    return pairs(content)
      .filter(({ isAsked }) => isAsked)
      .map(({ key }) => key);
  return items.map((id) => `item:${id}`);
}

/** Refuses a sheet with open questions where the protocol wants all answered. */
export function demandWhole(kind: Kind, content: Content, items: readonly string[], given: ReadonlySet<string>): void {
  const { protocol } = content;
  if (!protocol.require_all) return;
  const authority =
    kind === 'delphi' && protocol.ask_authority ? [...protocol.ca.map(({ id }) => `ca:${id}`), 'cs'] : [];
  const aboutOneself = [...protocol.about.map((one) => `about:${one}`), ...authority];
  const open = [...askedKeys(kind, content, items), ...aboutOneself].filter((key) => !given.has(key)).length;
  if (open > 0)
    throw refuse(`还有 ${open} 题没有作答，组织者要求全部作答后提交；不了解的题可以选“不属于我的领域”或“不确定”`);
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
  const bases = protocol.ca.map(({ id }) => id);
  if (new Set(bases).size < bases.length) throw refuse('有两项判断依据的编号相同，请删去其中一个');
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

/** Judgement basis and familiarity: told once, and true of later rounds. */
export const isAboutOneself = (key: string): boolean =>
  key === 'cs' || key.startsWith('ca:') || key.startsWith('about:');

/** Refuses what is no answer to this question: unknown, out of the scale, of another kind. */
export function demandAnswer(asked: ReadonlySet<string>, protocol: Protocol, key: string, value: AnswerValue): void {
  if (key.startsWith('comment:')) {
    if (!asked.has(`item:${key.slice('comment:'.length)}`)) throw refuse('这一题不在本轮问卷里，请刷新页面');
    if (typeof value !== 'string') throw refuse('意见要是文字');
    return;
  }
  if (isAboutOneself(key)) return demandAuthority(protocol, key, value);
  if (!asked.has(key)) throw refuse('这一题不在本轮问卷里，请刷新页面');
  if (value === null) return;
  const { scale_max: scaleMax } = protocol;
  if (key.startsWith('item:')) {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > scaleMax)
      throw refuse(`评分要是 1 到 ${scaleMax} 的整数，收到 ${shown(value)}`);
    return;
  }
  if (typeof value !== 'object') throw refuse('比较要说明哪一项更重要');
  if (!Number.isInteger(value.value) || value.value < 1 || value.value > 9)
    throw refuse(`判断要是 1 到 9 的整数，收到 ${value.value}；后一项更重要时请选另一侧`);
}

function demandAuthority(protocol: Protocol, key: string, value: AnswerValue): void {
  if (key.startsWith('about:')) return demandBackground(protocol, key, value);
  const isOffered =
    key === 'cs'
      ? protocol.cs.some((one) => one.value === value)
      : protocol.ca.some(({ id }) => key === `ca:${id}`) && INFLUENCES.some((one) => one === value);
  if (value !== null && !isOffered) throw refuse('请在判断依据和熟悉程度的选项里选择');
}

function demandBackground(protocol: Protocol, key: string, value: AnswerValue): void {
  const what = protocol.about.find((one) => key === `about:${one}`);
  if (what === undefined) throw refuse('这一题不在本轮问卷里，请刷新页面');
  if (value === null) return;
  if (what === 'years') {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MOST_YEARS)
      throw refuse(`工作年限要是 0 到 ${MOST_YEARS} 的整数`);
    return;
  }
  const options = ABOUT_OPTIONS[what];
  if (typeof value !== 'string' || (options ? !options.includes(value) : value.length > 60))
    throw refuse(options ? '请在选项里选择' : '专业领域最多 60 个字');
}

/** Ca of a sheet: what its bases count together, never above 1; null until every basis has been judged. */
export function judgementBasis({ ca }: Protocol, values: ReadonlyMap<string, AnswerValue>): number | null {
  let total = 0;
  for (const basis of ca) {
    const influence = INFLUENCES.find((one) => one === values.get(`ca:${basis.id}`));
    if (influence === undefined) return null;
    total += basis[influence];
  }
  return Math.min(1, Math.round(total * 1e6) / 1e6);
}

const shown = (value: AnswerValue): string => (typeof value === 'number' ? String(value) : '其他内容');
