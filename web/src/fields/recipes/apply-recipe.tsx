/** A saved chain on data: which variables it finds, which steps cannot run and why; then the run, with its progress. */
import type { Version } from '@hengxi/server/files/schema';
import type { ChainColumn, ChainStep } from '@hengxi/server/steps/schema';
import { ArrowLeftOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox, Select } from 'antd';
import { useEffect, useRef, useState } from 'react';

import { ApiError, errorText } from '../../lib/api.ts';
import { findableFilesQuery, versionQuery } from '../../lib/catalogue.ts';
import { quoted } from '../../lib/quoted.ts';
import { cancelRun } from '../../lib/runs.ts';
import { toast } from '../../lib/toast.ts';
import { CheckMark, type CheckState } from '../../ui/check-mark.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { finished, moveHead, refreshVersions } from '../steps/queries.ts';
import { applyRecipe, type ChainMatch, type Choice, matchQuery, type SavedRecipe } from './queries.ts';
import styles from './recipes.module.css';

interface ApplyRecipeProps {
  recipe: SavedRecipe;
  version: Pick<Version, 'vid' | 'fid' | 'name'>;
  onBack: () => void;
  onRunning: (running: boolean) => void;
  onDone: (vid: number) => void;
}

interface Progress {
  done: number;
  of: number | null;
  text: string;
}

type Running = { at: 'choosing' } | { at: 'running'; progress: Progress | null; runId: number | null };

/** Each row holds a list of all variables to choose from. */
const SHOWN = 50;
const SAME_SHOWN = 200;
const NOTHING: Choice = { columns: {}, disabled: [] };

export function ApplyRecipe({ recipe, version, onBack, onRunning, onDone }: ApplyRecipeProps) {
  const [vid, setVid] = useState(version.vid);
  const [choice, setChoice] = useState<Choice>(NOTHING);
  const [running, setRunning] = useState<Running>({ at: 'choosing' });
  const [trouble, setTrouble] = useState('');
  const match = useQuery(matchQuery(recipe.id, vid, choice));
  const files = useQuery(findableFilesQuery);
  const others = (files.data?.list ?? []).filter(({ fid }) => fid !== version.fid);
  const target = vid === version.vid ? version : others.find((file) => file.vid === vid);
  const begun = useRef<AbortController | null>(null);
  // Whoever leaves the page leaves the run to itself; it is found in the list of versions.
  useEffect(() => () => begun.current?.abort(), []);
  const set = (state: Running): void => {
    setRunning(state);
    onRunning(state.at === 'running');
  };

  const run = async (): Promise<void> => {
    const controller = new AbortController();
    begun.current = controller;
    let runId: number | null = null;
    setTrouble('');
    set({ at: 'running', progress: null, runId });
    try {
      const outcome = await finished(applyRecipe(recipe.id, { vid, ...choice }), {
        signal: controller.signal,
        onRun: (id) => {
          runId = id;
          set({ at: 'running', progress: null, runId });
        },
        onProgress: ({ done, of, text }) =>
          set({ at: 'running', progress: { done, of: of ?? null, text: text ?? '' }, runId }),
      });
      set({ at: 'choosing' });
      if (outcome.kind === 'failed') {
        setTrouble(`没有改动：${outcome.text}`);
        return;
      }
      await refreshVersions();
      const text = [`已套用${quoted(recipe.name)}`, ...outcome.warnings].join('；');
      const fid = target?.fid;
      const back = (): void => {
        if (fid === undefined) return;
        moveHead(fid, vid).then(
          async () => {
            await refreshVersions();
            onDone(vid);
          },
          () => undefined,
        );
      };
      toast.done(text, { action: { text: '撤销', run: back } });
      if (outcome.vid !== null) onDone(outcome.vid);
    } catch (error) {
      if (controller.signal.aborted) return;
      set({ at: 'choosing' });
      // Said by the client already, unless it is of the form.
      if (error instanceof ApiError && error.fields.length > 0) setTrouble(errorText(error));
    }
  };

  const cancel = (): void => {
    if (running.at === 'running' && running.runId !== null) cancelRun(running.runId).catch(() => undefined);
  };

  return (
    <div className={styles['drawer']}>
      <div className={styles['bar']}>
        <Button icon={<ArrowLeftOutlined aria-hidden />} disabled={running.at === 'running'} onClick={onBack}>
          返回列表
        </Button>
        <div className={styles['target']}>
          <span aria-hidden>套用到</span>
          <Select
            aria-label="套用到哪份数据"
            className={styles['search'] ?? ''}
            disabled={running.at === 'running'}
            showSearch={{ optionFilterProp: 'label' }}
            value={vid}
            onChange={(to) => {
              setVid(to);
              setChoice(NOTHING);
              setTrouble('');
            }}
            options={[
              { value: version.vid, label: `${version.name}（这份数据）` },
              ...others.map((file) => ({ value: file.vid, label: file.name })),
            ]}
          />
        </div>
      </div>
      {recipe.note === '' ? null : <p className={styles['note']}>{recipe.note}</p>}
      {trouble === '' ? null : (
        <p role="alert" className={styles['trouble']}>
          {trouble}
        </p>
      )}
      <Loaded query={match}>
        {(found) => (
          <>
            <fieldset className={styles['check']} disabled={running.at === 'running'} aria-busy={match.isFetching}>
              <Columns vid={vid} match={found} choice={choice} onChoice={setChoice} />
              <Steps match={found} choice={choice} onChoice={setChoice} />
            </fieldset>
            <div className={styles['foot']}>
              <p role="status">{summaryOf(found)}</p>
              {running.at === 'running' ? (
                <Working progress={running.progress} onCancel={running.runId === null ? null : cancel} />
              ) : (
                <Button type="primary" disabled={!found.ready || match.isFetching} onClick={() => void run()}>
                  套用 {found.steps.filter(({ state }) => state !== 'off').length} 步
                </Button>
              )}
            </div>
          </>
        )}
      </Loaded>
    </div>
  );
}

function summaryOf({ columns, steps, ready }: ChainMatch): string {
  const missing = columns.filter(({ to }) => to === null).length;
  const unfit = steps.filter(({ state }) => state === 'unfit').length;
  if (ready) return '可以套用。原来的数据不变，结果是一个新版本。';
  if (unfit === 0) return '所有步骤都不做，没有可以套用的内容。';
  const first = missing > 0 ? `有 ${missing} 个变量没有找到，` : '';
  return `${first}有 ${unfit} 步不能运行：请选择对应的变量，或不做这些步骤。`;
}

interface PartProps {
  match: ChainMatch;
  choice: Choice;
  onChoice: (choice: Choice) => void;
}

function Columns({ vid, match, choice, onChoice }: PartProps & { vid: number }) {
  const version = useQuery(versionQuery(vid));
  const [all, setAll] = useState(false);
  const choose = (name: string, id: string | undefined): void => {
    const { [name]: _, ...rest } = choice.columns;
    onChoice({ ...choice, columns: id === undefined ? rest : { ...rest, [name]: id } });
  };
  // What a person has chosen stays in sight.
  const missing = match.columns.filter(({ to }) => to === null);
  const open = [...missing.slice(0, SHOWN), ...match.columns.filter(({ to, chosen }) => to !== null && chosen)];
  const same = match.columns.filter(({ to, chosen }) => to !== null && !chosen);
  // One variable stands for one of the chain.
  const taken = new Map(Object.entries(choice.columns).map(([of, id]) => [id, of]));
  const optionsFor = (of: string): Option[] =>
    (version.data?.columns ?? []).map(({ id, name }) => ({
      value: id,
      label: name,
      disabled: (taken.get(id) ?? of) !== of,
    }));
  if (match.columns.length === 0) return null;
  return (
    <section className={styles['part']} aria-label="要用的变量">
      <h3>要用的变量</h3>
      {open.length > 0 ? (
        <ul className={styles['columns']}>
          {open.map((column) => (
            <Column
              key={column.name}
              column={column}
              options={optionsFor(column.name)}
              onChoose={(id) => choose(column.name, id)}
            />
          ))}
        </ul>
      ) : null}
      {missing.length > SHOWN ? (
        <p className={styles['hint']}>另有 {missing.length - SHOWN} 个变量也没有找到，选好上面的就会列出。</p>
      ) : null}
      {same.length > 0 ? (
        <>
          <p className={styles['same']}>
            <CheckMark state="pass" decorative />
            {open.length > 0 ? '其余 ' : ''}
            {same.length} 个变量按名称找到
            <button type="button" className="hx-link" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? '收起' : '逐个看'}
            </button>
          </p>
          {all ? (
            <ul className={styles['columns']}>
              {same.slice(0, SAME_SHOWN).map((column) => (
                <Column
                  key={column.name}
                  column={column}
                  options={optionsFor(column.name)}
                  onChoose={(id) => choose(column.name, id)}
                />
              ))}
            </ul>
          ) : null}
        </>
      ) : null}
    </section>
  );
}

interface Option {
  value: string;
  label: string;
  disabled: boolean;
}

interface ColumnProps {
  column: ChainColumn;
  options: Option[];
  onChoose: (id: string | undefined) => void;
}

function Column({ column: { name, to, near, steps }, options, onChoose }: ColumnProps) {
  const free = near.filter(({ id }) => options.every(({ value, disabled }) => value !== id || !disabled));
  return (
    <li className={styles['column']}>
      <span className={styles['of']}>
        <CheckMark state={to === null ? 'fail' : 'pass'} decorative />
        <span>
          <b>{name}</b>
          <small>
            第 {steps.slice(0, 6).join('、')}
            {steps.length > 6 ? ' …' : ''} 步用到{to === null ? '，这份数据里没有' : ''}
          </small>
        </span>
      </span>
      <span className={styles['to']}>
        <Select
          aria-label={`“${name}”对应的变量`}
          allowClear={to !== null && to.name !== name}
          showSearch={{ optionFilterProp: 'label' }}
          placeholder="选择对应的变量"
          status={to === null ? 'error' : ''}
          value={to?.id ?? null}
          options={options}
          onChange={(id: string | null) => onChoose(id ?? undefined)}
        />
        {free.length > 0 ? (
          <span className={styles['near']}>
            名称相近：
            {free.map((one) => (
              <button key={one.id} type="button" className="hx-link" onClick={() => onChoose(one.id)}>
                {one.name}
              </button>
            ))}
          </span>
        ) : null}
      </span>
    </li>
  );
}

const MARKS: Record<ChainStep['state'], CheckState> = { fit: 'pass', later: 'unknown', unfit: 'fail', off: 'unknown' };

function Steps({ match, choice, onChoice }: PartProps) {
  const toggle = (number: number, on: boolean): void =>
    onChoice({
      ...choice,
      disabled: on ? choice.disabled.filter((one) => one !== number) : [...choice.disabled, number],
    });
  const isOwn = (number: number): boolean => choice.disabled.includes(number);
  const later = match.steps.some(({ state }) => state === 'later');
  return (
    <section className={styles['part']} aria-label="步骤">
      <h3>步骤</h3>
      <ol className={styles['steps']}>
        {match.steps.map(({ number, title, note, state, why }) => (
          <li key={number} data-off={state === 'off' ? '' : undefined}>
            <Checkbox
              // One that was saved switched off stays so; it is switched on in the list of steps afterwards.
              disabled={state === 'off' && !isOwn(number)}
              checked={state !== 'off'}
              aria-label={`做第 ${number} 步`}
              onChange={(event) => toggle(number, event.target.checked)}
            />
            <span className={styles['step']}>
              <span>
                <span className={styles['number']}>{number}</span>
                {title}
                {state === 'off' ? (isOwn(number) ? '（不做）' : '（保存时已停用）') : ''}
              </span>
              {why === null ? null : <span className={styles['why']}>{why}</span>}
              {note === null ? null : <small>备注：{note}</small>}
            </span>
            <CheckMark state={MARKS[state]} decorative={state === 'off' || state === 'later'} />
          </li>
        ))}
      </ol>
      {later ? (
        <p className={styles['hint']}>
          <CheckMark state="unknown" decorative /> 要用前面步骤处理过的变量，运行时再检查；有一步不成，整个都不改动。
        </p>
      ) : null}
    </section>
  );
}

function Working({ progress, onCancel }: { progress: Progress | null; onCancel: (() => void) | null }) {
  const share = progress?.of ? Math.round((100 * progress.done) / progress.of) : 0;
  return (
    <div className={styles['working']}>
      <div
        className={styles['track']}
        role="progressbar"
        aria-label="套用进度"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
      >
        <div style={{ width: `${share}%` }} />
      </div>
      <span>{progress?.text || '正在套用'}</span>
      <Button disabled={onCancel === null} onClick={() => onCancel?.()}>
        取消
      </Button>
    </div>
  );
}
