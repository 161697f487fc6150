/** 我想…: the tasks that the methods at hand can do, and 帮我选. */
import type { MethodRow } from '@hengxi/server/analysis/schema';
import { QuestionCircleOutlined } from '@ant-design/icons';

import styles from './task-grid.module.css';
import type { Task } from './tasks.tsx';
import { does, TASKS } from './tasks.tsx';

export interface TaskGridProps {
  methods: readonly MethodRow[];
  task: Task | null;
  /** 帮我选 needs variables to choose from. */
  canAsk: boolean;
  onTask: (task: Task | null) => void;
  onAsk: () => void;
  onChoose: (path: string) => void;
  onSelector: (key: string) => void;
}

export function TaskGrid({ methods, task, canAsk, onTask, onAsk, onChoose, onSelector }: TaskGridProps) {
  const members = (one: Task): MethodRow[] => methods.filter((method) => does(one, method));
  return (
    <>
      <h2 className={styles['title']}>我想…</h2>
      <div className={styles['tasks']}>
        {TASKS.filter((task) => members(task).length > 0).map((one) => (
          <button
            key={one.key}
            type="button"
            className={styles['task']}
            aria-pressed={task === one}
            onClick={() => onTask(task === one ? null : one)}
          >
            {one.icon}
            <span>
              <strong>{one.title}</strong>
              <small>{one.hint}</small>
            </span>
          </button>
        ))}
        <button
          type="button"
          className={`${styles['task'] ?? ''} ${styles['ask'] ?? ''}`}
          disabled={!canAsk}
          onClick={onAsk}
        >
          <QuestionCircleOutlined aria-hidden />
          <span>
            <strong>帮我选</strong>
            <small>{canAsk ? '回答至多 4 个问题' : '先选一份数据'}</small>
          </span>
        </button>
      </div>
      {task === null ? null : (
        <div className={styles['members']} role="group" aria-label={task.title}>
          {task.selector === undefined ? null : (
            <button
              type="button"
              className={`${styles['chip'] ?? ''} ${styles['selector'] ?? ''}`}
              onClick={() => onSelector(task.selector?.key ?? '')}
            >
              {task.selector.title}
            </button>
          )}
          {members(task).map((method) => (
            <button
              key={method.algo_code}
              type="button"
              className={styles['chip']}
              onClick={() => onChoose(method.algo_code)}
            >
              {method.title}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

export interface RecentMethodsProps {
  recent: readonly string[];
  methods: readonly MethodRow[];
  onStart: (path: string) => void;
}

export function RecentMethods({ recent, methods, onStart }: RecentMethodsProps) {
  const list = recent
    .map((path) => methods.find((method) => method.algo_code === path))
    .filter((method) => method !== undefined);
  if (list.length === 0) return null;
  return (
    <section className={styles['recent']} aria-label="最近用过">
      <h2>最近用过</h2>
      {list.map((method) => (
        <button
          key={method.algo_code}
          type="button"
          className={styles['chip']}
          onClick={() => onStart(method.algo_code)}
        >
          {method.title}
        </button>
      ))}
    </section>
  );
}
