/** The rows of a condition with their groups and the live count; what rows cannot say is edited as text of the same grammar. */
import { PlusOutlined } from '@ant-design/icons';
import { Button, Segmented } from 'antd';
import { useEffect, useState } from 'react';

import { ApiError } from '../../lib/api.ts';
import { useConnection } from '../../lib/connection.ts';
import { useForm } from '../form-context.tsx';
import { ExpressionEditor } from '../formula/expression-editor.tsx';
import type { Condition, Group, Row } from './condition.ts';
import { fromFormula, isComplete, toFormula } from './condition.ts';
import styles from './condition-editor.module.css';
import { ConditionRow, rowOf } from './condition-row.tsx';

const COUNT_AFTER_MS = 250;

type Counted =
  | { is: 'none' }
  | { is: 'counting' }
  | { is: 'counted'; count: number; rows: number }
  | { is: 'wrong'; text: string; at: number | null }
  /** No answer about the condition at all. */
  | { is: 'lost'; text: string };

const SERVER_FAULT = 500;

/** The editor marks the place in the text with names; the words need not count signs of the text with ids. */
function wrong(error: unknown): Counted {
  if (error instanceof ApiError && (error.status === 0 || error.status >= SERVER_FAULT))
    return { is: 'lost', text: error.message };
  const fault = error instanceof ApiError ? error.fields[0] : undefined;
  const { at, reason } = fault?.facts ?? {};
  if (typeof at === 'number' && typeof reason === 'string') return { is: 'wrong', text: reason, at };
  return { is: 'wrong', text: error instanceof Error ? error.message : '条件有误', at: null };
}

/** Rows kept, counted on the server while the condition is being built, and anew once it can be reached again. */
function useCount(formula: string): [Counted, retry: () => void] {
  const { count } = useForm();
  const reachable = useConnection(({ offline, down }) => !offline && !down);
  const [asked, setAsked] = useState(0);
  const [answer, setAnswer] = useState<{ to: string; counted: Counted }>({ to: '', counted: { is: 'none' } });
  useEffect(() => {
    if (formula.trim() === '') return undefined;
    let gone = false;
    const tell = (counted: Counted): void => {
      if (!gone) setAnswer({ to: formula, counted });
    };
    const timer = setTimeout(() => {
      count(formula).then(
        (found) => tell({ is: 'counted', ...found }),
        (error: unknown) => tell(wrong(error)),
      );
    }, COUNT_AFTER_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [formula, count, reachable, asked]);
  const retry = (): void => {
    setAnswer({ to: '', counted: { is: 'none' } });
    setAsked((old) => old + 1);
  };
  if (formula.trim() === '') return [{ is: 'none' }, retry];
  return [answer.to === formula ? answer.counted : { is: 'counting' }, retry];
}

interface CountLineProps {
  state: Counted;
  judged: boolean;
  asText: boolean;
  /** Where the rows that are counted can be looked at. */
  rowsAt: string | undefined;
  onRetry: () => void;
}

function CountLine({ state, judged, asText, rowsAt, onRetry }: CountLineProps) {
  if (state.is === 'none')
    return <p className={styles['count']}>{judged ? '还没有完整的条件' : '还没有完整的条件，全部行都参与分析'}</p>;
  if (state.is === 'counting') return <p className={styles['count']}>正在计数…</p>;
  if (state.is === 'lost')
    return (
      <p className={styles['count']} role="status">
        还没有计数：{state.text}{' '}
        <button type="button" className="hx-link" onClick={onRetry}>
          重新计数
        </button>
      </p>
    );
  if (state.is === 'wrong' && judged) return <p className={styles['count']}>条件有误，还不能计数</p>;
  if (state.is === 'wrong')
    return (
      <p className={styles['wrong']} role="alert">
        {asText && state.at !== null ? '标出的地方有误：' : ''}
        {state.text}
      </p>
    );
  return (
    <p className={styles['count']} aria-live="polite">
      {/* In the form of a method another field says what becomes of the rows. */}
      {judged ? '满足条件' : '保留'} <strong>{state.count.toLocaleString('zh-CN')}</strong> /{' '}
      {state.rows.toLocaleString('zh-CN')} 行{state.count === 0 ? '，没有满足条件的行' : ''}
      {state.count > 0 && rowsAt !== undefined ? (
        <>
          {' '}
          <a className={styles['rows']} href={rowsAt} target="_blank" rel="noreferrer">
            看这些行
          </a>
        </>
      ) : null}
    </p>
  );
}

const JOINS = [
  { value: 'and' as const, label: '全部满足' },
  { value: 'or' as const, label: '任一满足' },
];

interface GroupProps {
  group: Group;
  index: number;
  several: boolean;
  onChange: (group: Group) => void;
}

function GroupEditor({ group, index, several, onChange }: GroupProps) {
  const rows = group.rows.length === 0 ? [rowOf(undefined)] : group.rows;
  return (
    <div className={styles['group']} role="group" aria-label={several ? `第 ${index + 1} 组条件` : '条件'}>
      {rows.map((row, at) => (
        <ConditionRow
          // Rows have no identity; their place is stable while one is edited.
          key={at}
          row={row}
          onChange={(next) => onChange({ ...group, rows: rows.map((one, i) => (i === at ? next : one)) })}
          onRemove={() => onChange({ ...group, rows: rows.filter((_, i) => i !== at) })}
        />
      ))}
      <div className={styles['under']}>
        <Button
          size="small"
          type="text"
          icon={<PlusOutlined />}
          onClick={() => onChange({ ...group, rows: [...rows, rowOf(undefined)] })}
        >
          加一行
        </Button>
        {rows.length > 1 ? (
          <Segmented
            size="small"
            aria-label="行之间"
            value={group.join}
            options={JOINS}
            onChange={(join) => onChange({ ...group, join })}
          />
        ) : null}
      </div>
    </div>
  );
}

export interface ConditionEditorProps {
  value: string;
  /** Column of a first new row. */
  add?: string | null;
  /** Faults are told by the form it stands in. */
  judged?: boolean;
  /** What the rows were when somebody left, with what was not finished; null where they are to be read from the value. */
  rows?: Condition | null;
  onChange: (formula: string, rows: Condition | null) => void;
}

function withRow(condition: Condition | null, row: Row | null): Condition | null {
  if (condition === null || row === null) return condition;
  const [first, ...rest] = condition.groups;
  return { ...condition, groups: [{ join: first?.join ?? 'and', rows: [...(first?.rows ?? []), row] }, ...rest] };
}

export function ConditionEditor({
  value,
  add = null,
  judged = false,
  rows: given = null,
  onChange,
}: ConditionEditorProps) {
  const { known, rowsAt } = useForm();
  const read = withRow(given ?? fromFormula(value), add === null ? null : rowOf(known.get(add)));
  // The rows on screen hold what is not finished yet; the formula only what is.
  const [condition, setCondition] = useState<Condition | null>(read);
  const [asText, setAsText] = useState(read === null);
  const change = (next: Condition): void => {
    const groups = next.groups.filter((group, at) => group.rows.length > 0 || at === 0);
    setCondition({ ...next, groups });
    onChange(toFormula({ ...next, groups }), { ...next, groups });
  };
  const mode = (text: boolean): void => {
    if (!text) setCondition(fromFormula(value));
    setAsText(text);
  };
  const [counted, recount] = useCount(value);
  const shown = condition ?? { join: 'and' as const, groups: [{ join: 'and' as const, rows: [] }] };
  const rows = shown.groups.flatMap((group) => group.rows);
  const unfinished = rows.filter((row) => row.column !== '' && !isComplete(row)).length;
  return (
    <div className={styles['editor']}>
      {asText ? (
        <ExpressionEditor
          name="condition"
          label="条件公式"
          placeholder={'例如 用时 >= 60 且 性别 = "男"'}
          value={value}
          faultAt={counted.is === 'wrong' ? counted.at : null}
          onChange={(formula) => onChange(formula, null)}
        />
      ) : (
        <>
          {shown.groups.map((group, at) => (
            <div key={at}>
              {at > 0 ? (
                <Segmented
                  size="small"
                  aria-label="组之间"
                  value={shown.join}
                  options={JOINS}
                  onChange={(join) => change({ ...shown, join })}
                />
              ) : null}
              <GroupEditor
                group={group}
                index={at}
                several={shown.groups.length > 1}
                onChange={(next) => change({ ...shown, groups: shown.groups.map((one, i) => (i === at ? next : one)) })}
              />
            </div>
          ))}
          <Button
            size="small"
            onClick={() => change({ ...shown, groups: [...shown.groups, { join: 'and', rows: [rowOf(undefined)] }] })}
          >
            加一组条件
          </Button>
        </>
      )}
      {!asText && unfinished > 0 && value.trim() !== '' ? (
        <p className={styles['wrong']} role="status">
          有 {unfinished} 行还没有填完，不算在条件里
        </p>
      ) : null}
      <div className={styles['foot']}>
        <CountLine state={counted} judged={judged} asText={asText} rowsAt={rowsAt?.(value)} onRetry={recount} />
        <button
          type="button"
          className="hx-link"
          disabled={asText && value.trim() !== '' && fromFormula(value) === null}
          onClick={() => mode(!asText)}
        >
          {asText ? '用行编辑' : '写成公式'}
        </button>
      </div>
    </div>
  );
}
