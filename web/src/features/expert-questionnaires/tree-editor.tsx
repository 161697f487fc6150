/** The hierarchy of an AHP: a goal, what it consists of, and the alternatives compared under every lowest node. */
import type { Content, TreeNode } from '@hengxi/server/expert-questionnaires/schema';
import { Button, Input } from 'antd';

import { comparisonsOf, pairsOf } from './ahp-questions.tsx';
import styles from './pro.module.css';
import { freshId } from './words.ts';

export const pairCount = (content: Content): number =>
  comparisonsOf(content).reduce((sum, one) => sum + pairsOf(one).length, 0);

const idsOf = (node: TreeNode): string[] => [node.id, ...node.children.flatMap(idsOf)];

/** The tree with one node put in another's place; null takes it away. */
function replaced(node: TreeNode, id: string, by: TreeNode | null): TreeNode[] {
  if (node.id === id) return by === null ? [] : [by];
  return [{ ...node, children: node.children.flatMap((child) => replaced(child, id, by)) }];
}

interface TreeProps {
  tree: TreeNode;
  /** Ids of the alternatives. */
  taken: readonly string[];
  onChange: (tree: TreeNode) => void;
}

export function TreeEditor({ tree, taken, onChange }: TreeProps) {
  const put = (id: string, by: TreeNode | null) => onChange(replaced(tree, id, by)[0] ?? tree);
  const add = (node: TreeNode) =>
    put(node.id, {
      ...node,
      children: [...node.children, { id: freshId([...idsOf(tree), ...taken]), name: '', children: [] }],
    });
  return <Branch node={tree} isGoal onPut={put} onAdd={add} />;
}

interface BranchProps {
  node: TreeNode;
  isGoal?: boolean;
  onPut: (id: string, by: TreeNode | null) => void;
  onAdd: (node: TreeNode) => void;
}

function Branch({ node, isGoal = false, onPut, onAdd }: BranchProps) {
  const name = node.name === '' ? '未命名' : node.name;
  return (
    <div>
      <div className={styles['node']}>
        <Input
          aria-label={isGoal ? '目标' : '指标名称'}
          placeholder={isGoal ? '目标，如“选择供应商”' : '指标名称'}
          maxLength={100}
          value={node.name}
          onChange={(event) => onPut(node.id, { ...node, name: event.target.value })}
        />
        <Button aria-label={`在“${name}”下添加`} onClick={() => onAdd(node)}>
          加下级
        </Button>
        {isGoal ? null : (
          <Button type="text" aria-label={`删除“${name}”`} onClick={() => onPut(node.id, null)}>
            删除
          </Button>
        )}
      </div>
      {node.children.length > 0 ? (
        <div className={styles['below']}>
          {node.children.map((child) => (
            <Branch key={child.id} node={child} onPut={onPut} onAdd={onAdd} />
          ))}
        </div>
      ) : null}
    </div>
  );
}

interface AlternativeProps {
  content: Content;
  onChange: (alternatives: Content['alternatives']) => void;
}

export function AlternativeEditor({ content, onChange }: AlternativeProps) {
  const { alternatives, tree } = content;
  const taken = [...idsOf(tree), ...alternatives.map(({ id }) => id)];
  return (
    <>
      {alternatives.map((one, at) => (
        <div key={one.id} className={styles['node']}>
          <Input
            aria-label={`方案 ${at + 1}`}
            maxLength={100}
            value={one.name}
            onChange={(event) =>
              onChange(alternatives.map((other) => (other === one ? { ...one, name: event.target.value } : other)))
            }
          />
          <Button
            type="text"
            aria-label={`删除方案 ${at + 1}`}
            onClick={() => onChange(alternatives.filter((other) => other !== one))}
          >
            删除
          </Button>
        </div>
      ))}
      <div className={styles['acts']}>
        <Button onClick={() => onChange([...alternatives, { id: freshId(taken), name: '' }])}>添加方案</Button>
      </div>
    </>
  );
}
