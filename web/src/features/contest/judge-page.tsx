/** /contest/judge: the papers of a judge, by number; points, a comment, and the lock. */
import { COMMENT_CHARS, RUBRIC } from '@hengxi/server/contest/schema';
import type { Assignment, Assignments, Parts } from '@hengxi/server/contest/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Input, InputNumber } from 'antd';
import { useId, useState } from 'react';

import { ApiError, errorText } from '../../lib/api.ts';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import styles from './contest.module.css';
import { Personal } from './frame.tsx';
import { declareConflict, papersQuery, savePaper, saveReview } from './queries.ts';

export function JudgePage() {
  return (
    <div className={styles['page']}>
      <PageTitle title="大赛评审" />
      <Personal why="登录后评审作品">
        <Papers />
      </Personal>
    </div>
  );
}

function Papers() {
  const papers = useQuery(papersQuery);
  return (
    <Loaded query={papers}>
      {(seasons) =>
        seasons.length === 0 ? (
          <EmptyState title="没有要评的作品" hint="分配评委以后，作品会显示在这里。" />
        ) : (
          <>
            {seasons.map((season) => (
              <Season key={season.contest} season={season} />
            ))}
          </>
        )
      }
    </Loaded>
  );
}

function Season({ season }: { season: Assignments }) {
  const [open, setOpen] = useState<number | null>(null);
  const done = season.list.filter((one) => one.locked_at !== null).length;
  return (
    <section className={styles['section']} aria-label={season.contest}>
      <h2>{season.contest}</h2>
      <p className={styles['quiet']}>
        已评 {done} / {season.list.length}
        。先评两份校准作品，再评其他作品；锁定后不能修改。认识作者或有利害关系的请申请回避。
        {season.is_open ? '' : ' 结果已公布，评分已锁定。'}
      </p>
      <ul className={styles['works']}>
        {season.list.map((one) => (
          <li key={one.id}>
            <header>
              <b>{one.paper}</b>
              {one.is_calibration ? <span className={styles['tag']}>校准</span> : null}
              <span className={styles['tag']} data-kind={one.locked_at === null ? '' : 'ok'}>
                {one.locked_at !== null ? '已锁定' : one.parts === null ? '未评' : '已暂存'}
              </span>
              {one.total === null ? null : <span>{one.total} 分</span>}
              {one.pages === null ? null : <span className={styles['quiet']}>{one.pages} 页</span>}
              {one.is_open && season.is_open && one.locked_at === null ? (
                <Button
                  size="small"
                  aria-expanded={open === one.id}
                  aria-label={`${open === one.id ? '收起' : '评分'} ${one.paper}`}
                  onClick={() => setOpen(open === one.id ? null : one.id)}
                >
                  {open === one.id ? '收起' : '评分'}
                </Button>
              ) : null}
            </header>
            {one.is_open ? null : <p className={styles['quiet']}>评完校准作品后开放。</p>}
            {open === one.id ? <Review one={one} onLocked={() => setOpen(null)} /> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

type Draft = { [K in keyof Parts]: number | null };
const EMPTY: Draft = { question: null, data: null, method: null, result: null, writing: null };

function Review({ one, onLocked }: { one: Assignment; onLocked: () => void }) {
  const id = useId();
  const [parts, setParts] = useState<Draft>(one.parts ?? EMPTY);
  const [comment, setComment] = useState(one.comment);
  const [fault, setFault] = useState<string | null>(null);
  const [asks, setAsks] = useState<'lock' | 'conflict' | null>(null);
  const [reason, setReason] = useState('');
  const [isSending, setSending] = useState(false);
  const missing = RUBRIC.find(({ key }) => parts[key] === null);
  const total = RUBRIC.reduce((sum, { key }) => sum + (parts[key] ?? 0), 0);

  const send = async (work: () => Promise<unknown>, said: string): Promise<boolean> => {
    setSending(true);
    try {
      await work();
      toast.done(said);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return false;
    } finally {
      setSending(false);
      setAsks(null);
    }
  };
  const whole = (): Parts | null => {
    if (missing !== undefined) {
      setFault(`请给“${missing.title}”打分`);
      return null;
    }
    setFault(null);
    return {
      question: parts.question ?? 0,
      data: parts.data ?? 0,
      method: parts.method ?? 0,
      result: parts.result ?? 0,
      writing: parts.writing ?? 0,
    };
  };
  const save = async (lock: boolean): Promise<void> => {
    const given = whole();
    if (given === null) return setAsks(null);
    const done = await send(() => saveReview(one.id, { parts: given, comment, lock }), lock ? '已锁定' : '已暂存');
    if (done && lock) onLocked();
  };
  const askLock = (): void => {
    if (whole() === null) return;
    if ([...comment.trim()].length < COMMENT_CHARS[0]) return setFault(`评语至少 ${COMMENT_CHARS[0]} 个字`);
    setAsks('lock');
  };
  return (
    <div className={`${styles['parts']} ${styles['sub']}`}>
      <div>
        <Button
          onClick={() => {
            savePaper(one.id, one.paper).catch((error: unknown) => toast.bad(errorText(error)));
          }}
        >
          下载报告
        </Button>
      </div>
      {RUBRIC.map(({ key, title, most, levels }) => (
        <fieldset key={key} className={styles['part']}>
          <legend>
            {title}（0 至 {most} 分）
          </legend>
          <ol>
            {levels.map((level) => (
              <li key={level}>{level}</li>
            ))}
          </ol>
          <InputNumber
            aria-label={`${title}得分`}
            min={0}
            max={most}
            precision={0}
            value={parts[key]}
            onChange={(value) => setParts({ ...parts, [key]: value })}
          />
        </fieldset>
      ))}
      <p>
        合计 <b>{total}</b> / 100
      </p>
      <div className={styles['field']}>
        <label htmlFor={`${id}c`}>评语（作者会看到，至少 {COMMENT_CHARS[0]} 个字）</label>
        <Input.TextArea
          id={`${id}c`}
          rows={5}
          maxLength={COMMENT_CHARS[1]}
          showCount
          value={comment}
          onChange={(event) => setComment(event.target.value)}
        />
      </div>
      {fault === null ? null : (
        <p className={styles['fault']} role="alert">
          {fault}
        </p>
      )}
      <div className={styles['acts']}>
        <Button loading={isSending} onClick={() => void save(false)}>
          暂存
        </Button>
        <Button type="primary" onClick={askLock}>
          锁定评分
        </Button>
        <Button type="link" onClick={() => setAsks('conflict')}>
          申请回避
        </Button>
      </div>
      <ConfirmDialog
        open={asks === 'lock'}
        title={`锁定 ${one.paper} 的评分`}
        text={`合计 ${total} 分。锁定后不能修改。`}
        act="锁定"
        working={isSending}
        onAct={() => void save(true)}
        onClose={() => setAsks(null)}
      />
      <ConfirmDialog
        open={asks === 'conflict'}
        title={`回避 ${one.paper}`}
        text={
          <div className={styles['field']}>
            <label htmlFor={`${id}r`}>原因（只有主办方看到）</label>
            <Input id={`${id}r`} value={reason} maxLength={200} onChange={(event) => setReason(event.target.value)} />
          </div>
        }
        act="回避"
        working={isSending}
        onAct={() => {
          if (reason.trim().length < 2) return toast.warn('请说明回避原因');
          void send(() => declareConflict(one.id, reason.trim()), '已转给其他评委');
          return undefined;
        }}
        onClose={() => setAsks(null)}
      />
    </div>
  );
}
