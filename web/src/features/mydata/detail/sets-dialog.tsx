/** Multiple-answer questions: several columns that are the choices of one question. */
import { DeleteOutlined } from '@ant-design/icons';
import type { AnswerSet, Column, Version } from '@hengxi/server/files/schema';
import type { SetEdit } from '@hengxi/server/steps/schema';
import { Button, Input, Select } from 'antd';
import { useState } from 'react';

import { byId, levelTitle, titleOf } from '../../../fields/column.ts';
import { prefixOf } from '../../../fields/folders.ts';
import { ApiError, errorText } from '../../../lib/api.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import styles from './sets-dialog.module.css';
import { useEdits } from './use-edits.ts';

type Counted = AnswerSet['counted'];

/** The value that says a choice was made: 1 where it occurs, else the value of the only level. */
export function countedOf(columns: readonly Column[]): Counted {
  const values = columns.flatMap((column) => (column.levels ?? []).map((level) => level.value));
  if (values.includes(1) || columns.every((column) => column.storage === 'int' || column.storage === 'float')) return 1;
  if (values.includes(true)) return true;
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? first : null;
}

/** Choices of what counts as chosen; null: whatever is there. */
function countedChoices(
  columns: readonly Column[],
  now: Counted,
): { value: string; label: string; counted: Counted }[] {
  const titles = new Map<Counted, string>();
  for (const column of columns) for (const level of column.levels ?? []) titles.set(level.value, levelTitle(level));
  if (now !== null && !titles.has(now)) titles.set(now, String(now));
  const rows = Array.from(titles, ([counted, title]) => ({
    value: JSON.stringify(counted),
    label: title === String(counted) ? title : `${String(counted)} = ${title}`,
    counted,
  }));
  return [...rows, { value: 'null', label: '只要有值', counted: null }];
}

/** The questions there are, and one of the chosen columns where they are none yet; it has a name of its own. */
export function startingSets(sets: readonly AnswerSet[], chosen: readonly Column[]): SetEdit[] {
  const known = sets.map(editOf);
  const isKnown = sets.some(
    ({ columns }) => columns.length === chosen.length && chosen.every(({ id }) => columns.includes(id)),
  );
  if (chosen.length < 2 || isKnown) return known;
  const names = new Set(sets.map(({ name }) => name));
  const name = prefixOf(chosen[0]?.name ?? '') ?? chosen[0]?.name ?? '';
  let unused = name;
  for (let n = 2; names.has(unused); n += 1) unused = `${name}_${n}`;
  return [...known, fresh(chosen, unused)];
}

function fresh(chosen: readonly Column[], name: string): SetEdit {
  return { name, label: null, columns: chosen.map((column) => column.id), counted: countedOf(chosen) };
}

function editOf({ id, name, label, columns, counted }: AnswerSet): SetEdit {
  return { id, name, label, columns, counted };
}

interface SetsDialogProps {
  version: Version;
  /** Columns of a new question; empty: none is made. */
  chosen: readonly Column[];
  onClose: () => void;
}

export function SetsDialog({ version, chosen, onClose }: SetsDialogProps) {
  const [sets, setSets] = useState<SetEdit[]>(() => startingSets(version.sets, chosen));
  const { change } = useEdits(version);
  const known = byId(version.columns);
  const update = (at: number, what: Partial<SetEdit>) =>
    setSets((old) => old.map((set, place) => (place === at ? { ...set, ...what } : set)));
  const isNameless = sets.some((set) => set.name.trim() === '');
  const { error } = change;
  const fault = error instanceof ApiError ? (error.fields[0]?.text ?? errorText(error)) : error && errorText(error);
  return (
    <Dialog
      open
      title="多选题集"
      width="choose"
      onClose={onClose}
      outsideCloses={false}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button
            type="primary"
            disabled={isNameless}
            loading={change.isPending}
            onClick={() => change.mutate({ sets }, { onSuccess: onClose })}
          >
            保存为一步
          </Button>
        </>
      }
    >
      <p className={styles['hint']}>一道多选题的各个选项各占一列；题集记下它们属于同一道题，列本身不变。</p>
      <ul className={styles['list']}>
        {sets.map((set, at) => {
          const columns = set.columns.flatMap((id) => known.get(id) ?? []);
          const choices = countedChoices(columns, set.counted);
          return (
            <li key={set.id ?? `new ${at}`}>
              <div className={styles['line']}>
                <Input
                  aria-label={`第 ${at + 1} 个题集的名称`}
                  value={set.name}
                  maxLength={200}
                  placeholder="题目名称"
                  onChange={(event) => update(at, { name: event.target.value })}
                />
                <Input
                  aria-label={`${set.name} 的标签`}
                  value={set.label ?? ''}
                  maxLength={1000}
                  placeholder="题目文字（可不填）"
                  onChange={(event) => update(at, { label: event.target.value || null })}
                />
                <Button
                  type="text"
                  aria-label={`解散题集 ${set.name}`}
                  title="解散题集；列不会删除"
                  icon={<DeleteOutlined aria-hidden />}
                  onClick={() => setSets((old) => old.filter((_, place) => place !== at))}
                />
              </div>
              <div className={styles['line']}>
                <span className={styles['columns']} title={columns.map(titleOf).join('，')}>
                  {columns.length} 项：{columns.map(titleOf).join('，')}
                </span>
                <Select
                  aria-label={`${set.name} 里什么值算选中`}
                  prefix="算选中"
                  className={styles['counted']}
                  value={JSON.stringify(set.counted)}
                  options={choices.map(({ value, label }) => ({ value, label }))}
                  onChange={(value) =>
                    update(at, { counted: choices.find((choice) => choice.value === value)?.counted ?? null })
                  }
                />
              </div>
            </li>
          );
        })}
      </ul>
      {sets.length === 0 ? <p className={styles['hint']}>保存后没有多选题集。</p> : null}
      <p role="alert" className={styles['fault']}>
        {fault}
      </p>
    </Dialog>
  );
}
