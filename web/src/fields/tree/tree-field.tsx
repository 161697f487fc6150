/** A hierarchy as an outline (contract: tree): Enter adds a line, Tab and Shift+Tab move it in and out, Alt+↑↓ shift it. */
import type { TreeField as Declaration } from '@hengxi/contracts/contract';
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Input } from 'antd';
import type { KeyboardEvent } from 'react';
import { useEffect, useRef } from 'react';

import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { Faults, Hint } from '../parts.tsx';
import type { Line } from './read-tree.ts';
import { endOf, indented, shifted, toLines, toTree, withChild, withoutLine, withSibling } from './read-tree.ts';
import styles from './tree-field.module.css';

export function TreeField({ field, value }: FieldProps<Declaration>) {
  const { set, readOnly, announce } = useForm();
  const lines = toLines(value);
  const root = useRef<HTMLElement>(null);
  const wanted = useRef<string | null>(null);
  const levelName = (depth: number): string => field.levels[Math.min(depth, field.levels.length - 1)] ?? '';

  useEffect(() => {
    if (wanted.current === null) return;
    root.current?.querySelector<HTMLInputElement>(`[data-line="${wanted.current}"] input`)?.focus();
    wanted.current = null;
  });

  const store = (next: readonly Line[], text: string, tag?: string): void =>
    set(field.key, toTree(next), tag === undefined ? { text } : { text, tag });
  const add = (next: { lines: Line[]; id: string }): void => {
    wanted.current = next.id;
    store(next.lines, `${field.title}：加一项`);
  };
  const drop = (at: number): void => {
    const line = lines[at];
    wanted.current = lines[at - 1]?.id ?? null;
    store(withoutLine(lines, at), `${field.title}：删除“${line?.name ?? ''}”`);
    announce(`已删除“${line?.name ?? ''}”${endOf(lines, at) - at > 1 ? '和它的下级' : ''}`);
  };
  const rename = (at: number, name: string): void => {
    const line = lines[at];
    if (line !== undefined) store(lines.with(at, { ...line, name }), `修改${field.title}`, `${field.key}.${line.id}`);
  };
  const keys = (event: KeyboardEvent, at: number): void => {
    const line = lines[at];
    if (line === undefined || event.nativeEvent.isComposing || readOnly) return;
    const keep = (next: readonly Line[], text: string): void => {
      wanted.current = line.id;
      store(next, text);
    };
    if (event.key === 'Enter') add(withSibling(lines, at));
    else if (event.key === 'Tab' && line.depth > 0) {
      const next = indented(lines, at, event.shiftKey ? -1 : 1);
      // Where it can go no further, Tab leaves the line as everywhere.
      if (next[at]?.depth === line.depth) return;
      keep(next, `${field.title}：调整层次`);
    } else if (event.altKey && event.key === 'ArrowUp') keep(shifted(lines, at, -1), `${field.title}：调整顺序`);
    else if (event.altKey && event.key === 'ArrowDown') keep(shifted(lines, at, 1), `${field.title}：调整顺序`);
    else if (event.key === 'Backspace' && line.name === '' && line.depth > 0) drop(at);
    else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      const other = lines[at + (event.key === 'ArrowUp' ? -1 : 1)];
      root.current?.querySelector<HTMLInputElement>(`[data-line="${other?.id ?? ''}"] input`)?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <section ref={root} className={styles['tree']} data-field={field.key} aria-labelledby={`tree-${field.key}`}>
      <h2 id={`tree-${field.key}`}>
        {field.title}
        <Hint text={field.hint} />
      </h2>
      {lines.length === 0 ? (
        <Button
          size="small"
          icon={<PlusOutlined aria-hidden />}
          disabled={readOnly}
          onClick={() => add(withSibling([], 0))}
        >
          从“{levelName(0)}”开始
        </Button>
      ) : (
        <>
          <ol className={styles['lines']}>
            {lines.map((line, at) => (
              <li key={line.id} data-line={line.id} style={{ paddingLeft: line.depth * 22 }}>
                <Input
                  size="small"
                  aria-label={`第 ${line.depth + 1} 层${levelName(line.depth)}`}
                  placeholder={levelName(line.depth)}
                  disabled={readOnly}
                  maxLength={60}
                  value={line.name}
                  onChange={(event) => rename(at, event.target.value)}
                  onKeyDown={(event) => keys(event, at)}
                />
                {readOnly ? null : (
                  <>
                    <Button
                      type="text"
                      size="small"
                      icon={<PlusOutlined aria-hidden />}
                      aria-label={`在“${line.name}”下加一项`}
                      disabled={line.depth + 1 >= field.depth[1]}
                      onClick={() => add(withChild(lines, at))}
                    />
                    <Button
                      type="text"
                      size="small"
                      icon={<DeleteOutlined aria-hidden />}
                      aria-label={`删除“${line.name}”`}
                      onClick={() => drop(at)}
                    />
                  </>
                )}
              </li>
            ))}
          </ol>
          {readOnly ? null : <p className={styles['keys']}>回车加一项，Tab 降一层，Shift+Tab 升一层，Alt+↑↓ 换位置</p>}
        </>
      )}
      <Faults of={field.key} />
    </section>
  );
}
