/** Arrows of a structural model (contract: paths): drawn on a canvas, and the same as a table for keyboard and touch. */
import type { PathsField as Declaration } from '@hengxi/contracts/contract';
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Select, Switch } from 'antd';
import { useId, useState } from 'react';

import { useForm } from '../form-context.tsx';
import { NumberInput } from '../number/number-field.tsx';
import type { FieldProps } from '../parts.tsx';
import { Faults, Hint } from '../parts.tsx';
import { PathCanvas } from './path-canvas.tsx';
import styles from './paths-field.module.css';
import type { Edge, PathKind, PathsValue } from './read-paths.ts';
import { nodesOf, readPaths, withEdge, writePaths } from './read-paths.ts';

const KIND_WORD: Record<PathKind, string> = { path: '→ 影响', cov: '↔ 相关' };

export function PathsField({ field, value }: FieldProps<Declaration>) {
  const { form, known, set, readOnly, announce } = useForm();
  const canvas = useId();
  const [drawn, setDrawn] = useState<PathKind>(field.kinds[0] ?? 'path');
  const paths = readPaths(field, value);
  const nodes = nodesOf(field, form, known);
  const nameOf = (id: string): string => nodes.find((node) => node.id === id)?.name ?? `已移去（${id}）`;
  const store = (next: PathsValue, text: string, tag?: string): void =>
    set(field.key, writePaths(next), tag === undefined ? { text } : { text, tag });

  const connect = (source: string, target: string, kind: PathKind = drawn): void => {
    const next = withEdge(paths, { source, target, kind, free: true, value: null });
    if (next === null) {
      announce('这条路径已经有了，或连着自己');
      return;
    }
    const words = `${nameOf(source)} ${kind === 'path' ? '→' : '↔'} ${nameOf(target)}`;
    store(next, `${field.title}：加入 ${words}`);
    announce(`已加入 ${words}`);
  };
  const change = (at: number, edge: Edge, tag?: string): void =>
    store({ ...paths, edges: paths.edges.with(at, edge) }, `修改${field.title}`, tag);
  const drop = (at: number): void => {
    const edge = paths.edges[at];
    store({ ...paths, edges: paths.edges.filter((_, index) => index !== at) }, `${field.title}：删除一条`);
    if (edge !== undefined) announce(`已删除 ${nameOf(edge.source)} 到 ${nameOf(edge.target)}`);
  };
  const addNext = (): void => {
    // The first pair that is not joined yet; the user then chooses.
    for (const source of nodes) {
      for (const target of nodes) {
        const edge: Edge = { source: source.id, target: target.id, kind: drawn, free: true, value: null };
        if (withEdge(paths, edge) !== null) {
          connect(source.id, target.id);
          return;
        }
      }
    }
  };
  const options = nodes.map((node) => ({ value: node.id, label: node.name }));

  return (
    <section className={styles['paths']} data-field={field.key} aria-labelledby={`paths-${field.key}`}>
      <div className={styles['head']}>
        <h2 id={`paths-${field.key}`}>
          {field.title}
          <Hint text={field.hint} />
        </h2>
        {field.kinds.length > 1 && !readOnly ? (
          <Select
            size="small"
            aria-label="新画的是"
            value={drawn}
            style={{ width: 100 }}
            options={field.kinds.map((kind) => ({ value: kind, label: KIND_WORD[kind] }))}
            onChange={setDrawn}
          />
        ) : null}
      </div>
      {nodes.length < 2 ? (
        <p className={styles['none']}>先放入至少两个变量或潜变量，这里画它们之间的路径</p>
      ) : (
        <>
          <PathCanvas
            id={canvas}
            nodes={nodes}
            paths={paths}
            readOnly={readOnly}
            onMove={(node, place) =>
              store({ ...paths, at: new Map([...paths.at, [node, place]]) }, `移动“${nameOf(node)}”`)
            }
            onConnect={connect}
          />
          {paths.edges.length === 0 ? (
            <p className={styles['none']}>从一个节点右边的圆点拖到另一个节点，或点“加一条”</p>
          ) : (
            <ul className={styles['edges']}>
              {paths.edges.map((edge, at) => {
                const words = `第 ${at + 1} 条`;
                return (
                  <li key={at}>
                    <Select
                      size="small"
                      aria-label={`${words}的起点`}
                      disabled={readOnly}
                      value={edge.source}
                      options={options}
                      onChange={(source) => change(at, { ...edge, source })}
                    />
                    <Select
                      size="small"
                      aria-label={`${words}的种类`}
                      disabled={readOnly || field.kinds.length < 2}
                      value={edge.kind}
                      options={field.kinds.map((kind) => ({ value: kind, label: KIND_WORD[kind] }))}
                      onChange={(kind) => change(at, { ...edge, kind })}
                    />
                    <Select
                      size="small"
                      aria-label={`${words}的终点`}
                      disabled={readOnly}
                      value={edge.target}
                      options={options}
                      onChange={(target) => change(at, { ...edge, target })}
                    />
                    <span className={styles['fixed']}>
                      <Switch
                        size="small"
                        aria-label={`${words}自由估计`}
                        disabled={readOnly}
                        checked={edge.free}
                        checkedChildren="估计"
                        unCheckedChildren="固定"
                        onChange={(free) => change(at, { ...edge, free, value: free ? null : (edge.value ?? 0) })}
                      />
                      {edge.free ? null : (
                        <NumberInput
                          value={edge.value}
                          width={68}
                          disabled={readOnly}
                          label={{ text: `${words}固定为` }}
                          onChange={(fixed) => change(at, { ...edge, value: fixed }, `${field.key}.${at}`)}
                        />
                      )}
                    </span>
                    {readOnly ? null : (
                      <Button
                        type="text"
                        size="small"
                        icon={<DeleteOutlined aria-hidden />}
                        aria-label={`删除${words}`}
                        onClick={() => drop(at)}
                      />
                    )}
                  </li>
                );
              })}
            </ul>
          )}
          {readOnly ? null : (
            <Button size="small" icon={<PlusOutlined aria-hidden />} onClick={addNext}>
              加一条
            </Button>
          )}
        </>
      )}
      <Faults of={field.key} />
    </section>
  );
}
