/** /contest/answer: registration, the team, and the works it sends. */
import type { Contest } from '@hengxi/server/contest/schema';
import { Button, Checkbox, Input } from 'antd';
import { type FormEvent, useId, useState } from 'react';
import { Link } from 'react-router';

import { ApiError } from '../../lib/api.ts';
import { sourceNow } from '../../lib/campaign-source.ts';
import { copyText } from '../../lib/copy-text.ts';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import styles from './contest.module.css';
import { ContestFrame, Personal, type Shown } from './frame.tsx';
import { joinTeam, leaveTeam, makeTeam, register, removeMember, setCaptain } from './queries.ts';
import { Works } from './works.tsx';
import { deadline } from './words.ts';

const MEMBERS = 3;

export function AnswerPage() {
  return (
    <ContestFrame title="队伍与提交">
      {(shown) => (
        <Personal why="登录后报名、组队和提交作品">
          <Answer {...shown} />
        </Personal>
      )}
    </ContestFrame>
  );
}

function Answer({ contest, ahead }: Shown) {
  const { phase, me, team } = contest;
  const isSignup = phase === 'signup';
  if (me === null)
    return (
      <section className={styles['section']} aria-labelledby="contest-register">
        <h2 id="contest-register">报名</h2>
        {isSignup ? <Register contest={contest} /> : <Closed contest={contest} />}
      </section>
    );
  return (
    <>
      <section className={styles['section']} aria-labelledby="contest-team">
        <h2 id="contest-team">我的队伍</h2>
        {team !== null ? (
          <TeamCard contest={contest} team={team} isSignup={isSignup} />
        ) : isSignup ? (
          <FindTeam contest={contest} />
        ) : (
          <p>报名截止时您没有队伍，这一届不能提交作品。</p>
        )}
      </section>
      {team === null ? null : <Works contest={contest} ahead={ahead} />}
    </>
  );
}

function Closed({ contest: { phase, phases } }: { contest: Contest }) {
  return <p>{phase === 'upcoming' ? `${deadline(phases.signup_from)}开始报名。` : '报名已截止。'}</p>;
}

/** Runs a call that tells its own refusals; gives whether it went through. */
async function went(work: Promise<unknown>, said?: string): Promise<boolean> {
  try {
    await work;
    if (said !== undefined) toast.done(said);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}

function Register({ contest, onDone }: { contest: Contest; onDone?: () => void }) {
  const id = useId();
  const [name, setName] = useState(contest.me?.name ?? '');
  const [school, setSchool] = useState(contest.me?.school ?? '');
  const [agreed, setAgreed] = useState(contest.me !== null);
  const [isTried, setTried] = useState(false);
  const [isSending, setSending] = useState(false);
  const faults = {
    name: name.trim().length < 2 ? '请填写姓名，证书上用这个名字' : null,
    school: school.trim().length < 2 ? '请填写学校或单位' : null,
    agreed: agreed ? null : '请先阅读并同意参赛规则',
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (faults.name ?? faults.school ?? faults.agreed) return;
    setSending(true);
    const form = { real_name: name.trim(), school: school.trim(), consent: true as const, source: sourceNow() };
    if (await went(register(contest.id, form), contest.me ? '已保存' : '报名成功')) onDone?.();
    setSending(false);
  };
  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)} noValidate>
      <Line id={`${id}n`} label="姓名" fault={isTried ? faults.name : null}>
        <Input id={`${id}n`} value={name} maxLength={40} onChange={(event) => setName(event.target.value)} />
      </Line>
      <Line id={`${id}s`} label="学校或单位" fault={isTried ? faults.school : null}>
        <Input id={`${id}s`} value={school} maxLength={40} onChange={(event) => setSchool(event.target.value)} />
      </Line>
      <div className={styles['field']}>
        <Checkbox checked={agreed} onChange={(event) => setAgreed(event.target.checked)}>
          我已阅读并同意<Link to={`/contest/note?cid=${contest.id}`}>参赛规则</Link>
        </Checkbox>
        {isTried && faults.agreed ? <p className={styles['fault']}>{faults.agreed}</p> : null}
      </div>
      <p className={styles['quiet']}>姓名和单位加密保存，只用于组队、评委回避和证书，评委看不到。</p>
      <div>
        <Button type="primary" htmlType="submit" loading={isSending}>
          {contest.me ? '保存' : '报名'}
        </Button>
      </div>
    </form>
  );
}

function Line(props: { id: string; label: string; fault: string | null; children: React.ReactNode }) {
  const { id, label, fault, children } = props;
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {children}
      {fault === null ? null : (
        <p className={styles['fault']} role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

function FindTeam({ contest }: { contest: Contest }) {
  const id = useId();
  const [code, setCode] = useState('');
  const [form, setForm] = useState({ name: '', tutor: '', tutor_school: '' });
  const [fault, setFault] = useState<{ code?: string; name?: string }>({});
  const [busy, setBusy] = useState<'join' | 'make' | null>(null);
  const join = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (code.trim() === '') return setFault({ code: '请填写邀请码' });
    setFault({});
    setBusy('join');
    await went(joinTeam(contest.id, code.trim()), '已加入队伍');
    setBusy(null);
  };
  const make = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (form.name.trim().length < 2) return setFault({ name: '队名至少 2 个字' });
    setFault({});
    setBusy('make');
    const text = (value: string) => (value.trim() === '' ? undefined : value.trim());
    const body = { name: form.name.trim(), tutor: text(form.tutor), tutor_school: text(form.tutor_school) };
    await went(makeTeam(contest.id, body), '队伍已创建');
    setBusy(null);
  };
  return (
    <>
      <p>
        已报名：{contest.me?.name}，{contest.me?.school}。每人只能在一支队伍，一队 1 至 {MEMBERS} 人，
        {deadline(contest.phases.signup_to)}以后不能变动。
      </p>
      <h3 className={styles['sub']}>加入队伍</h3>
      <form className={styles['form']} onSubmit={(event) => void join(event)} noValidate>
        <Line id={`${id}c`} label="队长给的邀请码" fault={fault.code ?? null}>
          <Input id={`${id}c`} value={code} maxLength={20} onChange={(event) => setCode(event.target.value)} />
        </Line>
        <div>
          <Button htmlType="submit" loading={busy === 'join'}>
            加入
          </Button>
        </div>
      </form>
      <h3 className={styles['sub']}>创建队伍</h3>
      <form className={styles['form']} onSubmit={(event) => void make(event)} noValidate>
        <Line id={`${id}n`} label="队名（公布结果时显示）" fault={fault.name ?? null}>
          <Input
            id={`${id}n`}
            value={form.name}
            maxLength={20}
            onChange={(event) => setForm({ ...form, name: event.target.value })}
          />
        </Line>
        <Line id={`${id}t`} label="指导教师（选填）" fault={null}>
          <Input
            id={`${id}t`}
            value={form.tutor}
            maxLength={40}
            onChange={(event) => setForm({ ...form, tutor: event.target.value })}
          />
        </Line>
        <Line id={`${id}u`} label="指导教师单位（选填，用于评委回避）" fault={null}>
          <Input
            id={`${id}u`}
            value={form.tutor_school}
            maxLength={40}
            onChange={(event) => setForm({ ...form, tutor_school: event.target.value })}
          />
        </Line>
        <div>
          <Button type="primary" htmlType="submit" loading={busy === 'make'}>
            创建队伍
          </Button>
        </div>
      </form>
    </>
  );
}

type Asks = { kind: 'leave' } | { kind: 'captain' | 'remove'; id: number; name: string } | null;

function TeamCard(props: { contest: Contest; team: NonNullable<Contest['team']>; isSignup: boolean }) {
  const { contest, team, isSignup } = props;
  const [asks, setAsks] = useState<Asks>(null);
  const [edits, setEdits] = useState(false);
  const [isWorking, setWorking] = useState(false);
  const act = async (): Promise<void> => {
    if (asks === null) return;
    setWorking(true);
    if (asks.kind === 'leave') await went(leaveTeam(contest.id), '已退出队伍');
    else if (asks.kind === 'captain') await went(setCaptain(contest.id, asks.id), '已移交队长');
    else await went(removeMember(contest.id, asks.id), '已移出队伍');
    setWorking(false);
    setAsks(null);
  };
  const isLast = team.members.length === 1;
  return (
    <>
      <dl className={styles['facts']}>
        <dt>队名</dt>
        <dd>{team.name}</dd>
        <dt>队号</dt>
        <dd>{team.number}</dd>
        {team.tutor === null ? null : (
          <>
            <dt>指导教师</dt>
            <dd>{[team.tutor, team.tutor_school].filter(Boolean).join('，')}</dd>
          </>
        )}
        {isSignup ? (
          <>
            <dt>邀请码</dt>
            <dd>
              <span className={styles['code']}>{team.code}</span>{' '}
              <Button size="small" onClick={() => void copyText(team.code)}>
                复制
              </Button>{' '}
              <span className={styles['quiet']}>
                {team.members.length < MEMBERS ? `还可加入 ${MEMBERS - team.members.length} 人` : '队伍已满'}
              </span>
            </dd>
          </>
        ) : null}
      </dl>
      <ul className={styles['members']} aria-label="成员">
        {team.members.map((member) => (
          <li key={member.id}>
            <b>{member.name}</b>
            <span className={styles['quiet']}>{member.school}</span>
            {member.is_captain ? <span className={styles['tag']}>队长</span> : null}
            {member.is_me ? <span className={styles['tag']}>我</span> : null}
            {isSignup && team.is_captain && !member.is_me ? (
              <span className={styles['right']}>
                <Button
                  size="small"
                  onClick={() => setAsks({ kind: 'captain', id: member.id, name: member.name })}
                  aria-label={`移交队长给${member.name}`}
                >
                  移交队长
                </Button>
                <Button
                  size="small"
                  onClick={() => setAsks({ kind: 'remove', id: member.id, name: member.name })}
                  aria-label={`移出${member.name}`}
                >
                  移出
                </Button>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {isSignup ? (
        <div className={styles['acts']}>
          <Button onClick={() => setEdits(!edits)} aria-expanded={edits}>
            修改姓名或单位
          </Button>
          <Button onClick={() => setAsks({ kind: 'leave' })}>退出队伍</Button>
        </div>
      ) : (
        <p className={styles['quiet']}>报名已截止，队伍不再变动。</p>
      )}
      {edits && isSignup ? (
        <div className={styles['sub']}>
          <Register contest={contest} onDone={() => setEdits(false)} />
        </div>
      ) : null}
      <ConfirmDialog
        open={asks !== null}
        title={asks?.kind === 'leave' ? '退出队伍' : asks?.kind === 'captain' ? '移交队长' : '移出成员'}
        text={
          asks === null
            ? ''
            : asks.kind === 'leave'
              ? isLast
                ? '您是最后一位成员，退出后队伍解散，队名可以被别人使用。报名截止前可以再创建或加入队伍。'
                : '退出后，报名截止前可以再加入或创建队伍。'
              : asks.kind === 'captain'
                ? `移交后由${asks.name}管理队伍。`
                : `${asks.name}将离开队伍，邀请码随之更换。`
        }
        act={asks?.kind === 'leave' ? '退出' : asks?.kind === 'captain' ? '移交' : '移出'}
        danger={asks?.kind !== 'captain'}
        working={isWorking}
        onAct={() => void act()}
        onClose={() => setAsks(null)}
      />
    </>
  );
}
