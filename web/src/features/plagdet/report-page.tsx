/** /plagdet/checks/:id: what was found in a text, on the text itself; beside it the passage in its source. */
import {
  comparedWith,
  countedText,
  figureLines,
  HOW_FOUND,
  KIND_TEXT,
  NO_VERDICT,
  notesText,
  PART_TEXT,
} from '@hengxi/contracts/plagdet';
import { integer } from '@hengxi/contracts/format';
import type { Claims, Report } from '@hengxi/server/plagdet/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';

import { errorText, isNotFound } from '../../lib/api.ts';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { Progress } from './checks-page.tsx';
import { PassagePanel } from './passage-panel.tsx';
import styles from './plagdet.module.css';
import { checkQuery, claim, keepCheck, refresh, removeCheck, reportQuery, saveReport } from './queries.ts';
import { Sources } from './sources.tsx';
import { TextWithMarks } from './text-with-marks.tsx';

const LEFT_OUT = ['cover', 'contents', 'references'] as const;

export function ReportPage() {
  const id = Number(useParams()['id']);
  const check = useQuery(checkQuery(id));
  if (isNotFound(check.error)) return <NotFound title="没有这份查重结果" hint="可能已过保留期、已删除，或不是你的。" />;
  return (
    <div className={styles['wide']}>
      <Loaded query={check}>
        {(data) =>
          data.state === 'done' ? (
            <ReportLoaded id={id} />
          ) : (
            <>
              <PageTitle title={data.name} />
              {data.state === 'running' ? (
                <Progress check={data} onEnd={() => void refresh()} />
              ) : (
                <p role="alert">{data.reason ?? '没有完成，请重试'}</p>
              )}
              <p>
                <Link to="/plagdet/checks">回到文本查重</Link>
              </p>
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function ReportLoaded({ id }: { id: number }) {
  const report = useQuery(reportQuery(id));
  return <Loaded query={report}>{(data) => <ReportBody report={data} />}</Loaded>;
}

function ReportBody({ report }: { report: Report }) {
  const { check, figures, sources, claims } = report;
  const [chosen, setChosen] = useState<number | null>(null);
  const [isSaving, setSaving] = useState(false);
  const names = new Map(sources.map(({ document, name }) => [document, name]));
  const largest = figures.largest ? (names.get(figures.largest.document) ?? null) : null;

  const say = async (next: Claims): Promise<void> => {
    setSaving(true);
    try {
      await claim(check.id, next);
    } catch {
      // Said already; what stood before stands.
    } finally {
      setSaving(false);
    }
  };

  return (
    <>
      <PageTitle title={check.name} actions={<Acts report={report} />} />
      <p className={styles['compared']}>
        {comparedWith(check)}
        {NO_VERDICT}
      </p>
      <dl className={styles['figures']}>
        {figureLines(figures, largest).map(({ key, label, value, of, means }) => (
          <div key={key} data-key={key}>
            <dt>{label}</dt>
            <dd className={styles['value']}>{value}</dd>
            <dd className={styles['quiet']}>{of}</dd>
            <dd className={styles['quiet']}>{means}</dd>
          </div>
        ))}
      </dl>
      <p className={styles['quiet']}>{countedText(figures)}</p>
      <Parts report={report} disabled={isSaving} onSay={say} />
      <Noticed report={report} />
      <div className={styles['columns']}>
        <section aria-labelledby="plagdet-text" className={styles['main']}>
          <h2 id="plagdet-text">全文</h2>
          <Legend />
          <TextWithMarks report={report} chosen={chosen} onChoose={setChosen} />
        </section>
        <aside className={styles['side']}>
          <PassagePanel
            report={report}
            chosen={chosen}
            disabled={isSaving}
            onChoose={setChosen}
            onQuote={(no, isQuoted) =>
              void say({
                ...claims,
                quoted: isQuoted ? [...claims.quoted, no] : claims.quoted.filter((one) => one !== no),
              })
            }
          />
          <Sources
            report={report}
            disabled={isSaving}
            onOwn={(document, isOwn) =>
              void say({
                ...claims,
                own: isOwn ? [...claims.own, document] : claims.own.filter((one) => one !== document),
              })
            }
            onShow={(document) =>
              setChosen(report.passages.find((one) => one.document === document && one.kind !== 'common')?.no ?? null)
            }
          />
        </aside>
      </div>
      <section aria-labelledby="plagdet-how" className={styles['section']}>
        <h2 id="plagdet-how">怎么比对</h2>
        <ul className={styles['plain']}>
          {HOW_FOUND.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
    </>
  );
}

function Acts({ report: { check } }: { report: Report }) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'keep' | 'delete' | null>(null);
  const [isMaking, setMaking] = useState(false);
  const save = (format: 'html' | 'pdf'): void => {
    setMaking(true);
    saveReport(check.id, check.name, format)
      .catch((error: unknown) => toast.bad(errorText(error)))
      .finally(() => setMaking(false));
  };
  return (
    <>
      <Button onClick={() => void navigate('/plagdet/checks')}>返回</Button>
      <Button loading={isMaking} onClick={() => save('pdf')}>
        导出 PDF
      </Button>
      <Button onClick={() => save('html')}>导出网页</Button>
      <Button onClick={() => setAsking('keep')}>加入文库</Button>
      <Button onClick={() => setAsking('delete')}>删除</Button>
      <ConfirmDialog
        open={asking === 'keep'}
        title="加入我的文库？"
        text="把本文加入我的文库，供我以后比对。只有你自己能和它比，随时可以删除。"
        act="同意并加入"
        onAct={() => {
          setAsking(null);
          keepCheck(check.id)
            .then(() => toast.done('正在加入文库'))
            .catch((error: unknown) => toast.bad(errorText(error)));
        }}
        onClose={() => setAsking(null)}
      />
      <ConfirmDialog
        open={asking === 'delete'}
        title="删除这份结果？"
        text="文字和结果会立即删除，不能恢复。"
        act="删除"
        danger
        onAct={() => {
          setAsking(null);
          // Left first: the page of a result that is gone says that there is none.
          void navigate('/plagdet/checks');
          removeCheck(check.id).catch((error: unknown) => toast.bad(errorText(error)));
        }}
        onClose={() => setAsking(null)}
      />
    </>
  );
}

function Parts({
  report,
  disabled,
  onSay,
}: {
  report: Report;
  disabled: boolean;
  onSay: (claims: Claims) => Promise<void>;
}) {
  const { claims, parts } = report;
  const there = LEFT_OUT.filter((kind) => parts.some((one) => one.kind === kind));
  if (there.length === 0) return null;
  return (
    <div className={styles['parts']} role="group" aria-label="不计入的部分">
      {there.map((kind) => (
        <Checkbox
          key={kind}
          disabled={disabled}
          checked={!claims.count.includes(kind)}
          onChange={(event) =>
            void onSay({
              ...claims,
              count: event.target.checked ? claims.count.filter((one) => one !== kind) : [...claims.count, kind],
            })
          }
        >
          不计入{PART_TEXT[kind]}
        </Checkbox>
      ))}
    </div>
  );
}

function Noticed({ report: { notes, removed, claims } }: { report: Report }) {
  const lines = [
    ...notesText(notes),
    ...(removed > 0 ? [`${integer(removed)} 篇来源已从文库删除，它们的标记和比例不再列出。`] : []),
    ...(claims.quoted.length > 0
      ? [`作者把 ${integer(claims.quoted.length)} 处标为引用，这是作者的说法，没有核对。`]
      : []),
    ...(claims.own.length > 0
      ? [`作者把 ${integer(claims.own.length)} 篇来源标为本人文献，这是作者的说法，没有核对。`]
      : []),
  ];
  if (lines.length === 0) return null;
  return (
    <ul className={styles['noticed']} aria-label="发现的情况">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function Legend() {
  return (
    <p className={styles['legend']}>
      {Object.entries({ ...KIND_TEXT, quotation: PART_TEXT.quotation }).map(([kind, title]) => (
        <mark key={kind} data-kind={kind}>
          {title}
        </mark>
      ))}
      <span className={styles['quiet']}>点一处看来源；选中后按 ← → 看前后各处</span>
    </p>
  );
}
