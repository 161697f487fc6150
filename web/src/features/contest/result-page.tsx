/** /contest/result: awards, the own score sheet, appeals, certificates, and the check of any certificate. */
import { APPEAL_KINDS, APPEAL_STATES, CERTIFICATE_STATES, RUBRIC } from '@hengxi/server/contest/schema';
import type { Contest, OwnResults, PublicResults, Sheet, Verified } from '@hengxi/server/contest/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Input, Select } from 'antd';
import { type FormEvent, useId, useState } from 'react';
import { useSearchParams } from 'react-router';

import { ApiError, errorText } from '../../lib/api.ts';
import { formatDay } from '../../lib/format-size.ts';
import { useMe } from '../../lib/me.ts';
import { useSession } from '../../lib/session.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import tableStyles from '../../ui/plain-table.module.css';
import styles from './contest.module.css';
import { FilePicker } from './file-picker.tsx';
import { ContestFrame, useSignInFor } from './frame.tsx';
import { ownQuery, resultsQuery, saveCertificate, sendAppeal, verifyQuery, withdrawAppeal } from './queries.ts';
import { beijing, deadline, prizeText } from './words.ts';

export function ResultPage() {
  return (
    <ContestFrame title="结果与证书">
      {({ contest }) => (
        <>
          <Awards contest={contest} />
          <Own contest={contest} />
          <Verify />
        </>
      )}
    </ContestFrame>
  );
}

const METHODS = {
  model: '名次按混合模型扣除评委宽严后的得分排列。',
  mean: '作品不足 12 份或评委不足 4 位，名次按平均分排列，没有扣除评委宽严的影响。',
} as const;

function Awards({ contest }: { contest: Contest }) {
  const results = useQuery(resultsQuery(contest.id));
  return (
    <section className={styles['section']} aria-labelledby="contest-awards">
      <h2 id="contest-awards">获奖名单</h2>
      <Loaded query={results}>
        {(shown: PublicResults) =>
          shown.published_at === null ? (
            <EmptyState
              title={contest.phase === 'review' ? '评审中' : '结果还没有公布'}
              hint={`预计 ${deadline(shown.results_at)}公布。`}
            />
          ) : (
            <>
              <p className={styles['quiet']}>
                {beijing(shown.published_at)}（北京时间）公布，{shown.papers} 份作品参评。
                {shown.method === null ? '' : METHODS[shown.method]}
              </p>
              {shown.list.length === 0 ? (
                <EmptyState title="没有作品获奖" />
              ) : (
                <table className={tableStyles['table']}>
                  <thead>
                    <tr>
                      <th scope="col">名次</th>
                      <th scope="col">队伍</th>
                      <th scope="col">奖项</th>
                    </tr>
                  </thead>
                  <tbody>
                    {shown.list.map(({ rank, team, award, corrected }) => (
                      <tr key={team}>
                        <td>{rank}</td>
                        <td>{team}</td>
                        <td>
                          {award}
                          {corrected ? '（申诉后更正）' : ''}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function Own({ contest }: { contest: Contest }) {
  const isSignedIn = useSession((state) => state.token !== null);
  const isPersonal = useMe()?.identity !== 2;
  const signIn = useSignInFor();
  const own = useQuery({ ...ownQuery(contest.id), enabled: isSignedIn && isPersonal });
  if (contest.phases.published_at === null) return null;
  if (!isSignedIn)
    return (
      <section className={styles['section']} aria-labelledby="contest-own">
        <h2 id="contest-own">我的成绩</h2>
        <div className={styles['acts']}>
          <Button onClick={() => signIn(location.pathname + location.search)}>登录后查看成绩和证书</Button>
        </div>
      </section>
    );
  if (!isPersonal) return null;
  return (
    <Loaded query={own}>
      {(shown: OwnResults) => (
        <>
          <section className={styles['section']} aria-labelledby="contest-own">
            <h2 id="contest-own">我的成绩</h2>
            {shown.sheet === null ? <p>您没有参评的作品。</p> : <ScoreSheet sheet={shown.sheet} />}
          </section>
          {shown.sheet === null ? null : <Appeals contest={contest} appeals={shown.appeals} />}
          <Certificates contest={contest} own={shown} />
        </>
      )}
    </Loaded>
  );
}

const points = (value: number): string => value.toFixed(2);
const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;

function ScoreSheet({ sheet }: { sheet: Sheet }) {
  const { award, rank, papers, raw, adjusted, se, method, reviews } = sheet;
  return (
    <>
      <p className={styles['big']}>{sheet.disqualified ? '已取消参赛资格' : (award ?? `第 ${rank} 名`)}</p>
      <dl className={styles['facts']}>
        <dt>回执</dt>
        <dd>{sheet.receipt}</dd>
        <dt>名次</dt>
        <dd>
          {rank} / {papers}
          {sheet.corrected ? '（奖项经申诉更正）' : ''}
        </dd>
        <dt>原始平均分</dt>
        <dd>{points(raw)}</dd>
        {method === 'model' ? (
          <>
            <dt>调整后得分</dt>
            <dd>
              {points(adjusted)}
              {se === null ? '' : `，标准误 ${points(se)}`}
            </dd>
          </>
        ) : null}
      </dl>
      <p className={styles['quiet']}>
        {method === 'model'
          ? '评委效应是这位评委比其他评委平均高出（+）或低出（−）的分数，调整后得分 = 原始平均分 − 评委效应的平均。'
          : METHODS.mean}
      </p>
      <div className={styles['scroll']} tabIndex={0} role="region" aria-label="评分表">
        <table className={tableStyles['table']}>
          <thead>
            <tr>
              <th scope="col">评委</th>
              {RUBRIC.map(({ key, title, most }) => (
                <th key={key} scope="col">
                  {title}（{most}）
                </th>
              ))}
              <th scope="col">合计</th>
              {method === 'model' ? <th scope="col">评委效应</th> : null}
            </tr>
          </thead>
          <tbody>
            {reviews.map((review, at) => (
              <tr key={at}>
                <th scope="row">评委 {at + 1}</th>
                {RUBRIC.map(({ key }) => (
                  <td key={key}>{review.parts[key]}</td>
                ))}
                <td>{review.total}</td>
                {method === 'model' ? (
                  <td>{review.judge_effect === null ? '–' : signed(review.judge_effect)}</td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className={styles['notices']} aria-label="评语">
        {reviews.map(({ comment }, at) => (
          <li key={at}>
            <span className={styles['quiet']}>评委 {at + 1}</span>
            <p className={styles['comment']}>{comment}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

const APPEAL_MOST = 1000;

function Appeals({ contest, appeals }: { contest: Contest; appeals: OwnResults['appeals'] }) {
  const isOpen = contest.phase === 'notice';
  const isWaiting = appeals.some(({ state }) => state === 'open');
  const [asks, setAsks] = useState<number | null>(null);
  const end = contest.phases.appeals_to;
  const withdraw = async (): Promise<void> => {
    if (asks === null) return;
    try {
      await withdrawAppeal(contest.id, asks);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    setAsks(null);
  };
  return (
    <section className={styles['section']} aria-labelledby="contest-appeals">
      <h2 id="contest-appeals">申诉</h2>
      <p className={styles['quiet']}>
        {isOpen && end !== null ? `${deadline(end)}截止。` : '申诉已截止。'}
        由没有参与公布结果的人在 5 个工作日内答复。对评分高低的学术判断不作复议，只核对程序差错。
      </p>
      <ul className={styles['notices']}>
        {appeals.map((appeal) => (
          <li key={appeal.id}>
            <span className={styles['tag']}>{APPEAL_KINDS[appeal.kind]}</span>{' '}
            <span className={styles['tag']} data-kind={appeal.state === 'upheld' ? 'ok' : ''}>
              {APPEAL_STATES[appeal.state]}
            </span>{' '}
            <span className={styles['quiet']}>{beijing(appeal.created_at)}</span>
            <p>{appeal.text}</p>
            {appeal.answer === null ? null : <p>答复：{appeal.answer}</p>}
            {appeal.state === 'open' ? (
              <Button size="small" onClick={() => setAsks(appeal.id)}>
                撤回申诉
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {isOpen && !isWaiting ? <AppealForm contest={contest} /> : null}
      <ConfirmDialog
        open={asks !== null}
        title="撤回申诉"
        text="撤回后这份申诉不再答复，仍计入每队 3 次的上限。"
        act="撤回"
        onAct={() => void withdraw()}
        onClose={() => setAsks(null)}
      />
    </section>
  );
}

function AppealForm({ contest }: { contest: Contest }) {
  const id = useId();
  const [kind, setKind] = useState<'score' | 'qualification' | 'similarity'>('score');
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (text.trim().length < 10) return setFault('申诉理由至少 10 个字');
    setFault(null);
    setSending(true);
    try {
      await sendAppeal(contest.id, { kind, text: text.trim() });
      setText('');
      toast.done('申诉已提交');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    } finally {
      setSending(false);
    }
  };
  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)} noValidate>
      <div className={styles['field']}>
        <label htmlFor={`${id}k`}>类别</label>
        <Select
          id={`${id}k`}
          value={kind}
          onChange={setKind}
          options={Object.entries(APPEAL_KINDS).map(([value, label]) => ({ value: value as typeof kind, label }))}
        />
      </div>
      <div className={styles['field']}>
        <label htmlFor={`${id}t`}>理由</label>
        <Input.TextArea
          id={`${id}t`}
          rows={5}
          maxLength={APPEAL_MOST}
          showCount
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {fault === null ? null : (
          <p className={styles['fault']} role="alert">
            {fault}
          </p>
        )}
      </div>
      <div>
        <Button type="primary" htmlType="submit" loading={isSending}>
          提交申诉
        </Button>
      </div>
    </form>
  );
}

function Certificates({ contest, own }: { contest: Contest; own: OwnResults }) {
  const [busy, setBusy] = useState<number | null>(null);
  const save = async (id: number, code: string): Promise<void> => {
    setBusy(id);
    try {
      await saveCertificate(contest.id, id, code);
    } catch (error) {
      toast.bad(errorText(error));
    } finally {
      setBusy(null);
    }
  };
  return (
    <section className={styles['section']} aria-labelledby="contest-certificates">
      <h2 id="contest-certificates">证书与奖励</h2>
      {own.prize === null ? null : (
        <p>
          {own.prize.award}：{prizeText(own.prize.kind, own.prize.value)}，已发放。
        </p>
      )}
      {own.certificates.length === 0 ? (
        <p className={styles['quiet']}>公示结束、申诉全部答复后发放。</p>
      ) : (
        <ul className={styles['works']}>
          {own.certificates.map(({ id, code, award, state, issued_at: issued }) => (
            <li key={id}>
              <header>
                <b>{award}</b>
                <span className={styles['code']}>{code}</span>
                <span className={styles['tag']} data-kind={state === 'valid' ? 'ok' : 'bad'}>
                  {CERTIFICATE_STATES[state]}
                </span>
                <span className={styles['quiet']}>{formatDay(issued)}</span>
                {state === 'valid' ? (
                  <Button
                    size="small"
                    loading={busy === id}
                    onClick={() => void save(id, code)}
                    aria-label={`下载证书 ${code}`}
                  >
                    下载 PDF
                  </Button>
                ) : null}
              </header>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Anybody who was shown a certificate; `?verify=` comes from the square on the paper. */
function Verify() {
  const id = useId();
  const [params] = useSearchParams();
  const asked = params.get('verify')?.slice(0, 40) ?? '';
  const [code, setCode] = useState(asked);
  const [file, setFile] = useState<File | null>(null);
  const [question, setQuestion] = useState(asked === '' ? null : { code: asked, sha256: null as string | null });
  const [isEmpty, setEmpty] = useState(false);
  const found = useQuery({ ...verifyQuery(question ?? { code: '', sha256: null }), enabled: question !== null });
  const answer: Verified | undefined = question === null ? undefined : found.data;
  const fault = isEmpty ? '请填写证书编号' : question !== null && found.error !== null ? errorText(found.error) : null;
  const check = async (): Promise<void> => {
    setEmpty(code.trim() === '');
    if (code.trim() === '') return;
    const next = { code: code.trim(), sha256: file === null ? null : await sha256Of(file) };
    // Asked again, it is looked up again.
    if (question?.code === next.code && question.sha256 === next.sha256) await found.refetch();
    else setQuestion(next);
  };
  return (
    <section className={styles['section']} aria-labelledby="contest-verify">
      <h2 id="contest-verify">证书查验</h2>
      <form
        className={styles['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void check();
        }}
      >
        <div className={styles['field']}>
          <label htmlFor={`${id}c`}>证书编号</label>
          <Input
            id={`${id}c`}
            value={code}
            maxLength={40}
            placeholder="HX26-7K3QF-9M2DAX"
            onChange={(event) => setCode(event.target.value)}
          />
        </div>
        <FilePicker
          label="证书文件（选填）"
          hint="只在本机计算校验和，文件不上传"
          accept="application/pdf,.pdf"
          file={file}
          fault={null}
          onChoose={setFile}
        />
        {fault === null ? null : (
          <p className={styles['fault']} role="alert">
            {fault}
          </p>
        )}
        <div>
          <Button htmlType="submit" loading={question !== null && found.isFetching}>
            查验
          </Button>
        </div>
      </form>
      {answer === undefined ? null : (
        <div
          className={`${styles['told']} ${styles['sub']}`}
          data-kind={answer.state === 'valid' && answer.file_matches !== false ? 'ok' : 'warn'}
          role="status"
        >
          <p>
            <b>{CERTIFICATE_STATES[answer.state]}</b>　{answer.holder}，“{answer.team}”队，{answer.contest}
            {answer.award}，{formatDay(answer.issued_at)}签发
          </p>
          {answer.file_matches === null ? null : (
            <p>
              {answer.file_matches ? '文件与签发的一致。' : '文件与签发的不一致，可能被改过，或不是平台下载的原件。'}
            </p>
          )}
        </div>
      )}
    </section>
  );
}
