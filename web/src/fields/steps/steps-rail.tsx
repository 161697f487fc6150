/** 步骤: how the version came to be, step by step. Every change makes the versions after it anew; undo moves the head back. */
import type { FieldFault } from '@hengxi/contracts/http';
import type { StepRow as Step, Version } from '@hengxi/server/files/schema';
import type { StepOp } from '@hengxi/server/steps/schema';
import { RedoOutlined, UndoOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Spin } from 'antd';
import type { ReactNode } from 'react';
import { useState } from 'react';

import { quoted } from '../../lib/quoted.ts';
import { rowsUrl } from '../../lib/rows-url.ts';
import { toast } from '../../lib/toast.ts';
import { CheckMark } from '../../ui/check-mark.tsx';
import { RenameDialog } from '../../ui/rename-dialog.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import { RecipeButtons } from '../recipes/recipe-buttons.tsx';
import { focusNext } from './focus.ts';
import { NoteDialog } from './note-dialog.tsx';
import { changeSteps, finished, moveHead, refreshVersions, replaySteps, stepsQuery } from './queries.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import { StepRow } from './step-row.tsx';
import { useStepMoves } from './use-step-moves.ts';
import styles from './steps-rail.module.css';

const NAME_MOST = 200;

export interface StepsRailProps {
  version: Pick<Version, 'vid' | 'fid' | 'name'>;
  /** Another version shall be shown: one that was made, or one of the list. */
  onVersion: (vid: number) => void;
  /** Opens the settings of a processing step; `on`: the version it was made on. */
  onEdit: (step: Step, on: number) => void;
}

interface Trouble {
  text: string;
  /** The step that stands in the way, by its place in the list. */
  number: number | null;
  without: (() => void) | null;
}

/** The step that does not fit what was asked for. */
function unfitOf(fields: readonly FieldFault[]): number | null {
  const fault = fields.find(({ code }) => code === 'replay.step');
  const number = fault?.facts?.['number'];
  return typeof number === 'number' ? number : null;
}

/** Carries out changes one at a time; what the data refuse is said in the rail, not in passing. */
function useSteps({ version, onVersion }: Pick<StepsRailProps, 'version' | 'onVersion'>, list: readonly Step[]) {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [settled, setSettled] = useState(0);
  const back = (): void => {
    moveHead(version.fid, version.vid).then(
      async () => {
        await refreshVersions();
        onVersion(version.vid);
      },
      () => undefined,
    );
  };
  /** `without`: the same once more, with one more step switched off. */
  const carryOut = async (
    call: () => ReturnType<typeof changeSteps>,
    done: string,
    without: (number: number) => () => void,
  ): Promise<void> => {
    setBusy(true);
    setTrouble(null);
    try {
      const outcome = await finished(call(), { signal: new AbortController().signal });
      if (outcome.kind === 'failed') {
        const number = unfitOf(outcome.fields);
        setTrouble({ text: `没有改动：${outcome.text}`, number, without: number === null ? null : without(number) });
        setSettled((old) => old + 1);
      } else {
        await refreshVersions();
        const text = [done, ...outcome.warnings].join('；');
        if (outcome.vid !== null && outcome.vid !== version.vid) {
          onVersion(outcome.vid);
          toast.done(text, { action: { text: '撤销', run: back } });
        } else {
          setSettled((old) => old + 1);
          toast.done(text);
        }
      }
    } catch {
      // Said by the client already.
      setSettled((old) => old + 1);
    }
    setBusy(false);
  };
  const idOf = (number: number): number => list[number]?.step_id ?? 0;
  function change(ops: readonly StepOp[], done: string): void {
    const without = (number: number) => () =>
      change([...ops, { op: 'disable', step_id: idOf(number) }], `${done}，并停用第 ${number} 步`);
    void carryOut(() => changeSteps(version.vid, ops), done, without);
  }
  function replay(onto: number, done: string, off: readonly number[]): void {
    const without = (number: number) => () => replay(onto, `${done}，停用第 ${number} 步`, [...off, idOf(number)]);
    void carryOut(() => replaySteps(version.vid, onto, off), done, without);
  }
  return {
    busy,
    settled,
    trouble,
    dismiss: () => setTrouble(null),
    change: (op: StepOp, done: string) => change([op], done),
    replay: (onto: number, done: string) => replay(onto, done, []),
  };
}

/** Rows that went with a step stand in the version before it. */
function leftOutOf(step: Step, number: number, before: Step | undefined) {
  const condition = step.params['left_out'];
  if (before === undefined || step.disabled === true || typeof condition !== 'string') return null;
  return { rows: before.rows - step.rows, url: rowsUrl(before.vid, condition, number) };
}

export function StepsRail({ version, onVersion, onEdit }: StepsRailProps) {
  const steps = useQuery(stepsQuery(version.vid));
  const list = steps.data?.list ?? [];
  const work = useSteps({ version, onVersion }, list);
  const [renaming, setRenaming] = useState<Step | null>(null);
  const [noting, setNoting] = useState<Step | null>(null);
  const [replaying, setReplaying] = useState(false);
  const moveTo = (step: Step, to: number): (() => void) | null =>
    to < 1 || to >= list.length
      ? null
      : () => {
          if (work.busy) return;
          focusNext(to);
          work.change({ op: 'move', step_id: step.step_id, to }, `已把${quoted(step.title)}移到第 ${to} 步`);
        };
  const actsOf = (step: Step, at: number) => ({
    rename: () => setRenaming(step),
    note: () => setNoting(step),
    toggle: () => {
      focusNext(at);
      work.change(
        { op: step.disabled ? 'enable' : 'disable', step_id: step.step_id },
        step.disabled ? `已启用${quoted(step.title)}` : `已停用${quoted(step.title)}`,
      );
    },
    remove: () => {
      focusNext(Math.min(at, list.length - 2));
      work.change({ op: 'delete', step_id: step.step_id }, `已删除${quoted(step.title)}`);
    },
    edit: step.op === 'process' ? () => onEdit(step, list[at - 1]?.vid ?? version.vid) : null,
    up: moveTo(step, at - 1),
    down: moveTo(step, at + 1),
  });
  return (
    <section className={styles['rail']} aria-label="步骤" aria-busy={work.busy}>
      <div className={styles['head']}>
        <h2>步骤</h2>
        {work.busy ? <Spin size="small" aria-label="正在重新运行" /> : null}
        <Undo version={version} onVersion={onVersion} />
      </div>
      {work.trouble === null ? null : (
        <div className={styles['trouble']} role="alert">
          <CheckMark state="care" />
          <span>{work.trouble.text}</span>
          {work.trouble.without === null ? null : (
            <button type="button" className="hx-link" onClick={work.trouble.without}>
              一并停用第 {work.trouble.number} 步
            </button>
          )}
          <button type="button" className="hx-link" onClick={work.dismiss}>
            知道了
          </button>
        </div>
      )}
      {steps.isPending ? <ListSkeleton rows={3} /> : null}
      <ol className={styles['list']} inert={work.busy}>
        {list.map((step, at) => (
          <StepRow
            key={step.step_id}
            step={step}
            number={at}
            shown={step.vid === version.vid}
            settled={work.settled}
            leftOut={leftOutOf(step, at, list[at - 1])}
            acts={at === 0 ? null : actsOf(step, at)}
            onShow={() => onVersion(step.vid)}
          />
        ))}
      </ol>
      {list.length > 0 ? (
        <div className={styles['foot']}>
          {list.length > 1 ? <p>用箭头按钮或 Alt+↑↓ 调整次序，后面的步骤会重新运行。</p> : null}
          <div className={styles['acts']}>
            {list.length > 1 ? (
              <Button size="small" disabled={work.busy} onClick={() => setReplaying(true)}>
                在另一份数据上重放
              </Button>
            ) : null}
            <RecipeButtons version={version} steps={list.slice(1)} busy={work.busy} onVersion={onVersion} />
          </div>
        </div>
      ) : null}
      <RenameDialog
        key={renaming?.step_id ?? 0}
        open={renaming !== null}
        title="重命名步骤"
        max={NAME_MOST}
        value={renaming?.title ?? ''}
        onClose={() => setRenaming(null)}
        onSave={(title) => {
          if (renaming !== null) {
            focusNext(list.indexOf(renaming));
            work.change({ op: 'rename', step_id: renaming.step_id, title }, '已重命名');
          }
          setRenaming(null);
        }}
      />
      {noting === null ? null : (
        <NoteDialog
          title={noting.title}
          value={noting.note ?? ''}
          onClose={() => setNoting(null)}
          onSave={(note) => {
            focusNext(list.indexOf(noting));
            work.change({ op: 'note', step_id: noting.step_id, note }, note === '' ? '已删去备注' : '已保存备注');
            setNoting(null);
          }}
        />
      )}
      {replaying ? (
        <ReplayDialog
          fid={version.fid}
          onClose={() => setReplaying(false)}
          onChoose={(file) => {
            setReplaying(false);
            work.replay(file.vid, `已在“${file.name}”上重放 ${list.length - 1} 步`);
          }}
        />
      ) : null}
    </section>
  );
}

function Undo({ version, onVersion }: Pick<StepsRailProps, 'version' | 'onVersion'>) {
  const { undo, redo } = useStepMoves(version, onVersion);
  const button = (word: string, icon: ReactNode, run: (() => void) | null) => (
    <button
      type="button"
      className={styles['tool']}
      aria-label={word}
      aria-disabled={run === null}
      onClick={() => run?.()}
    >
      {icon}
    </button>
  );
  return (
    <span className={styles['undo']}>
      {button('撤销上一步', <UndoOutlined aria-hidden />, undo)}
      {button('重做', <RedoOutlined aria-hidden />, redo)}
    </span>
  );
}
