/** /year-end-report: a sample for visitors; one's own year after a consent of its own, never before. */
import type { YearReport } from '@hengxi/server/year-end/schema';
import { LEAST_RUNS } from '@hengxi/server/year-end/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Checkbox } from 'antd';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Link } from 'react-router';

import { ApiError, errorText } from '../../lib/api.ts';
import { becomeChannel, channels } from '../../lib/channels.ts';
import { prompts } from '../../lib/prompts.ts';
import { useSession } from '../../lib/session.ts';
import { SIGNED_IN, versionOf } from '../../lib/sign-in.ts';
import { toast } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { cardOf } from './card.ts';
import { beijing, type Figure, figuresOf, rangeText, SAMPLE } from './figures.ts';
import { CardCanvas, Picture } from './picture.tsx';
import { consent, NOT_OWN, refreshReport, reportQuery, show, withdraw } from './queries.ts';
import styles from './year-end.module.css';

/** The page stays after a sign-in (specification section 2). */
const SOURCE = 'year-end-report';

export function YearEndPage() {
  const token = useSession((state) => state.token);
  useEffect(() => {
    const refresh = () => void refreshReport();
    addEventListener(SIGNED_IN, refresh);
    return () => removeEventListener(SIGNED_IN, refresh);
  }, []);
  return (
    <div className={styles['page']}>
      {token === null ? <Sample /> : versionOf(token) === 2 ? <Enterprise /> : <Own />}
    </div>
  );
}

function Own() {
  const report = useQuery(reportQuery);
  if (report.error instanceof ApiError && report.error.status === 401) return <Sample note={report.error.message} />;
  if (report.error instanceof ApiError && report.error.code === NOT_OWN)
    return <Sample note="演示账号由大家共用，没有自己的年终报告。" />;
  return (
    <Loaded query={report}>
      {(data) => (
        <>
          {data.state === 'closed' ? <Closed report={data} /> : null}
          {data.state === 'consent' ? <Consent year={data.year} /> : null}
          {data.state === 'computing' ? <Computing year={data.year} /> : null}
          {data.state === 'too_few' ? <Few report={data} /> : null}
          {data.state === 'ready' ? <Ready report={data} /> : null}
          {data.kept.map((year) => (
            <Withdraw key={year} year={year} />
          ))}
        </>
      )}
    </Loaded>
  );
}

/** Figures nobody made; said so on the page and on the picture. */
function Sample({ note }: { note?: string }) {
  const [year] = useState(() => Number(beijing(new Date().toISOString()).slice(0, 4)));
  const figures = figuresOf(SAMPLE);
  const range = `${year}-01-01 至 ${year}-12-31`;
  const ticked = new Set(figures.map(({ key }) => key));
  const card = cardOf({ year, figures, ticked, nickname: null, range, host: location.host, isSample: true });
  return (
    <>
      <Head title="年终报告" lead="一年里做了哪些分析，用你自己的使用记录数出来。先征得你同意才统计，只有你看得到。" />
      {note === undefined ? null : (
        <p role="status" className={styles['note']}>
          {note}
        </p>
      )}
      <div className={styles['acts']}>
        <Button type="primary" onClick={() => prompts.openLogin(SOURCE)}>
          登录查看我的报告
        </Button>
      </div>
      <section className={styles['sample']} aria-labelledby="year-end-sample">
        <div>
          <h2 id="year-end-sample">
            示例 <small>数字是编的，只说明报告的样子</small>
          </h2>
          <Figures figures={figures} />
        </div>
        <CardCanvas card={card} />
      </section>
    </>
  );
}

function Enterprise() {
  const change = useMutation({
    mutationFn: channels,
    onSuccess: ({ pri }) => {
      if (pri.token === null) toast.note('没有可以切换的个人版');
      else becomeChannel(pri.token);
    },
  });
  return (
    <EmptyState
      heading
      title="年终报告只统计个人版的使用"
      hint="企业版里的工作不计入，也不会出现在报告里。切换到个人版可以查看自己的报告。"
      actions={
        <Button type="primary" loading={change.isPending} onClick={() => change.mutate()}>
          切换到个人版
        </Button>
      }
    />
  );
}

function Head({ title, lead }: { title: string; lead: string }) {
  return (
    <header className={styles['head']}>
      <h1>{title}</h1>
      <p>{lead}</p>
    </header>
  );
}

function Closed({ report }: { report: YearReport }) {
  const { year, opens_at: opens, closes_at: closes, server_now: now } = report;
  const [title, hint] =
    now < opens
      ? [
          `${year} 年终报告还没有开放`,
          `${beijing(opens)} 开放，${beijing(closes)} 结束（北京时间）。开放后先征得你同意才统计。`,
        ]
      : now >= closes
        ? [`${year} 年终报告已经结束`, `开放时间是 ${beijing(opens)} 到 ${beijing(closes)}（北京时间）。`]
        : [`${year} 年终报告暂停开放`, '恢复后可以在这里生成。'];
  return (
    <EmptyState
      art
      heading
      title={title}
      hint={hint}
      actions={
        <Link to="/analysis/index">
          <Button>去做分析</Button>
        </Link>
      }
    />
  );
}

/** Two equal buttons, nothing ticked beforehand; without 生成 nothing is counted. */
function Consent({ year }: { year: number }) {
  const [isAgreed, setAgreed] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const [isDeclined, setDeclined] = useState(false);
  const missing = useId();
  const making = useMutation({ mutationFn: () => consent(year), onSuccess: show });
  if (making.isPending) return <Computing year={year} />;
  if (isDeclined)
    return (
      <EmptyState
        heading
        title="没有生成"
        hint="什么都没有统计。开放期间想看时，再打开这个页面就行。"
        actions={<Button onClick={() => setDeclined(false)}>返回</Button>}
      />
    );
  return (
    <>
      <Head title={`${year} 年终报告`} lead="回头看看这一年做了哪些分析。要不要统计，由你决定。" />
      <form
        className={styles['consent']}
        onSubmit={(event) => {
          event.preventDefault();
          setMissing(!isAgreed);
          if (isAgreed) making.mutate();
        }}
      >
        <p>根据您 {year} 年的使用记录生成，仅您可见。将使用：分析次数、方法、行数、日期、导出次数。</p>
        <ul>
          <li>只数本人在个人版里做的；企业版里的工作不计，已删除的数据上的分析不计。</li>
          <li>不读数据内容，不用列名和项目名，不和别人比较。</li>
          <li>随时可以撤回，撤回就删除报告。</li>
        </ul>
        <Checkbox
          checked={isAgreed}
          aria-describedby={isMissing ? missing : undefined}
          onChange={({ target }) => {
            setAgreed(target.checked);
            setMissing(false);
          }}
        >
          我同意按上面的说明统计我的使用记录
        </Checkbox>
        {isMissing ? (
          <p id={missing} role="alert" className={styles['fault']}>
            请先勾选同意，再生成。
          </p>
        ) : null}
        {making.error ? (
          <p role="alert" className={styles['fault']}>
            {errorText(making.error)}
          </p>
        ) : null}
        <div className={styles['acts']}>
          <Button htmlType="submit">生成</Button>
          <Button onClick={() => setDeclined(true)}>不生成</Button>
        </div>
      </form>
    </>
  );
}

function Computing({ year }: { year: number }) {
  return (
    <>
      <Head title={`${year} 年终报告`} lead="只数你自己的记录，一般不到两秒。" />
      <p role="status" className={styles['note']}>
        正在统计…
      </p>
    </>
  );
}

/** Counted to the last moment of the year: counting anew changes nothing but what was deleted since. */
const isWholeYear = (year: number, { to }: { to: string }): boolean => beijing(to).slice(0, 4) !== String(year);

function Few({ report }: { report: YearReport }) {
  const runs = report.numbers?.runs ?? 0;
  const isPresent = beijing(report.server_now).slice(0, 4) === String(report.year);
  const isWhole = report.range !== null && isWholeYear(report.year, report.range);
  return (
    <EmptyState
      art
      heading
      title={`${isPresent ? '今年' : `${report.year} 年`}的记录还不多`}
      hint={
        <>
          {runs === 0 ? '没有完成的分析' : `完成了 ${runs} 次分析`}，
          {isWhole ? `这一年不满 ${LEAST_RUNS} 次，没有报告。` : `满 ${LEAST_RUNS} 次就有报告可看。`}
          记录少不代表做得少：企业版里的工作和已删除的数据都没有计入。
          {report.range ? <br /> : null}
          {report.range ? `统计范围：${rangeText(report.range)}` : null}
        </>
      }
      actions={
        <>
          {isPresent ? (
            <Link to="/analysis/index">
              <Button type="primary">去做一次分析</Button>
            </Link>
          ) : null}
          {isWhole ? null : <Recount year={report.year} />}
        </>
      }
    />
  );
}

function Recount({ year }: { year: number }) {
  const again = useMutation({
    mutationFn: () => consent(year),
    onSuccess: (report) => {
      show(report);
      toast.done('已统计到现在');
    },
    onError: (error) => toast.warn(errorText(error)),
  });
  return (
    <Button loading={again.isPending} onClick={() => again.mutate()}>
      统计到现在
    </Button>
  );
}

function Ready({ report }: { report: YearReport }) {
  const { year, numbers, range } = report;
  if (!numbers || !range) return null;
  const figures = figuresOf(numbers);
  const isWhole = isWholeYear(year, range);
  return (
    <>
      <Head title={`${year} 年终报告`} lead={`统计范围：${rangeText(range)}。仅你可见。`} />
      <Figures figures={figures} />
      <p className={styles['quiet']}>
        点一个数字，看它是怎么数的。企业版里的工作、统计时已删除的数据上的分析没有计入。
      </p>
      {isWhole ? null : (
        <div className={styles['acts']}>
          <Recount year={year} />
        </div>
      )}
      <Picture year={year} figures={figures} range={rangeText(range).replace('（北京时间）', '')} />
    </>
  );
}

/** Each figure opens to what exactly was counted. */
function Figures({ figures }: { figures: readonly Figure[] }): ReactNode {
  return (
    <ul className={styles['figures']}>
      {figures
        .filter(({ value }) => value !== null)
        .map(({ key, label, value, meaning }) => (
          <li key={key} data-wide={key === 'top' || undefined}>
            <details>
              <summary>
                <span>{label}</span>
                <b>{value}</b>
              </summary>
              <p>{meaning}</p>
            </details>
          </li>
        ))}
    </ul>
  );
}

function Withdraw({ year }: { year: number }) {
  const [isAsked, setAsked] = useState(false);
  const deleting = useMutation({
    mutationFn: () => withdraw(year),
    onSuccess: async () => {
      setAsked(false);
      toast.done(`${year} 年终报告已删除`);
      await refreshReport();
    },
  });
  return (
    <section className={styles['withdraw']} aria-label={`撤回 ${year} 年的同意`}>
      <p>你同意过统计 {year} 年的使用记录，报告保留至你撤回。</p>
      <Button onClick={() => setAsked(true)}>撤回同意并删除报告</Button>
      <Dialog
        open={isAsked}
        title={`删除 ${year} 年终报告？`}
        width="confirm"
        onClose={() => setAsked(false)}
        footer={
          <>
            <Button onClick={() => setAsked(false)}>取消</Button>
            <Button type="primary" danger loading={deleting.isPending} onClick={() => deleting.mutate()}>
              撤回并删除
            </Button>
          </>
        }
      >
        <p>统计出的数字会删除；分析和数据不受影响。开放期间可以重新同意、重新生成。</p>
        {deleting.error ? (
          <p role="alert" className={styles['fault']}>
            {errorText(deleting.error)}
          </p>
        ) : null}
      </Dialog>
    </section>
  );
}
