/** /pro-analysis/collect/{pid}: the panel with its links, the round under way, and what follows it. */
import type { Expert, Project, RoundView, Verdict } from '@hengxi/server/expert-questionnaires/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox, Input, InputNumber, QRCode, Select } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';

import { toast } from '../../lib/toast.ts';
import { copyForms } from '../../report/clipboard.ts';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import table from '../../ui/plain-table.module.css';
import { ProjectFrame } from './frame.tsx';
import { type MessageKind, messageTo, templateOf, toRemind } from './messages.ts';
import styles from './pro.module.css';
import {
  addExperts,
  changeRound,
  dueAfter,
  expertsQuery,
  finish,
  linkOf,
  openNext,
  remind,
  removeExpert,
  renewLink,
  setPublicLink,
} from './queries.ts';
import { EXPERT_STATES, minuteText, SIGNS, VERDICTS } from './words.ts';

export function CollectPage() {
  return (
    <ProjectFrame>
      {(project) => (
        <>
          <Round project={project} />
          <Panel project={project} />
          <PublicLink project={project} />
        </>
      )}
    </ProjectFrame>
  );
}

function Round({ project }: { project: Project }) {
  const [asks, setAsks] = useState(false);
  const round = project.rounds.at(-1);
  if (!round)
    return (
      <p className={styles['lead']}>
        问卷还没有发布，链接现在打开会显示“本轮尚未开始”。
        <Link to={`/pro-analysis/edit/${project.id}`}>去编辑和发布</Link>
      </p>
    );
  const few = round.submitted < project.content.protocol.min_experts;
  const close = async (): Promise<void> => {
    setAsks(false);
    await changeRound(project.id, { act: 'close' });
  };
  return (
    <section className={styles['section']} aria-labelledby="collect-round">
      <h2 id="collect-round">
        第 {round.number} 轮：{round.state === 'open' ? '收集中' : '已结束'}
      </h2>
      <p>
        邀请 {round.invited} 位，已开始 {round.started} 位，已提交 {round.submitted} 份，其中逾期 {round.late} 份。
        {round.start_hours === null ? '' : `从开放到开始作答，中位数 ${round.start_hours} 小时。`}
        {round.state === 'open' ? `截止 ${minuteText(round.due_at)}，之后仍可提交，但记为逾期。` : ''}
      </p>
      {round.state === 'open' ? (
        <div className={styles['acts']}>
          <Button type="primary" onClick={() => setAsks(true)}>
            结束本轮
          </Button>
          <Button onClick={() => void changeRound(project.id, { act: 'extend', due_at: dueAfter(7) })}>
            截止改为 7 天后
          </Button>
          <span className={styles['quiet']}>收集期间只显示份数，不显示结果，以免影响专家。</span>
        </div>
      ) : null}
      {project.state === 'between' ? <Between project={project} round={round} few={few} /> : null}
      <ConfirmDialog
        open={asks}
        title="结束本轮"
        text={`结束后不再接受答卷。${few ? `已提交 ${round.submitted} 份，少于协议规定的 ${project.content.protocol.min_experts} 位专家。` : ''}`}
        act="结束"
        onAct={() => void close()}
        onClose={() => setAsks(false)}
      />
    </section>
  );
}

function Between({ project, round, few }: { project: Project; round: RoundView; few: boolean }) {
  const [decisions, setDecisions] = useState<Record<string, Verdict>>({});
  const [comments, setComments] = useState<Record<string, string[]>>({});
  const [days, setDays] = useState(14);
  const items = new Map(project.content.items.map((item) => [item.id, item.text]));
  return (
    <>
      {few ? (
        <p className={styles['lead']}>
          专家人数少于协议规定的 {project.content.protocol.min_experts} 位，请在报告里说明。
        </p>
      ) : null}
      {project.kind === 'delphi' ? (
        <>
          {round.results === null ? (
            <p className={styles['lead']}>
              答卷少于 {project.content.protocol.least_shown} 份，为保护匿名不显示结果。可以重新打开本轮继续收集。
            </p>
          ) : (
            <div className={styles['scroll']}>
              <table className={table['table']}>
                <thead>
                  <tr>
                    <th scope="col">指标</th>
                    <th scope="col">人数</th>
                    <th scope="col">各分人数</th>
                    <th scope="col">中位数（Q1–Q3）</th>
                    <th scope="col">决定</th>
                  </tr>
                </thead>
                <tbody>
                  {round.results.map((card) => (
                    <tr key={card.item}>
                      <td style={{ whiteSpace: 'normal' }}>{items.get(card.item) ?? card.item}</td>
                      <td>{card.n}</td>
                      <td>{card.counts.length === 0 ? '不显示' : card.counts.join('、')}</td>
                      <td>{card.median === null ? '—' : `${card.median}（${card.q1}–${card.q3}）`}</td>
                      <td>
                        <Select
                          aria-label={`对“${items.get(card.item) ?? ''}”的决定`}
                          style={{ width: 116 }}
                          value={decisions[card.item] ?? 'again'}
                          options={Object.entries(VERDICTS).map(([value, label]) => ({
                            value: value as Verdict,
                            label,
                          }))}
                          onChange={(verdict) => setDecisions({ ...decisions, [card.item]: verdict })}
                        />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          <Comments round={round} names={items} onChange={setComments} />
          <p className={styles['quiet']}>
            筛选标准、协调系数 W、权威程度和稳定性由德尔菲方法计算，见
            <Link to={`/pro-analysis/report/${project.id}`}>结果</Link>
            。专家在下一轮看到的是本轮的分布、自己的评分和您分享的意见。
          </p>
        </>
      ) : null}
      <div className={styles['acts']}>
        {project.kind === 'delphi' ? (
          <>
            <span className={styles['quiet']}>收集天数</span>
            <InputNumber
              aria-label="收集天数"
              min={1}
              max={365}
              value={days}
              onChange={(value) => setDays(value ?? 14)}
            />
            <Button
              type="primary"
              onClick={() => void openNext(project.id, { due_at: dueAfter(days), decisions, comments })}
            >
              开启第 {round.number + 1} 轮
            </Button>
          </>
        ) : null}
        <Button onClick={() => void changeRound(project.id, { act: 'reopen', due_at: dueAfter(7) })}>
          重新打开本轮
        </Button>
        <Button onClick={() => void finish(project.id, { decisions })}>结束项目</Button>
      </div>
    </>
  );
}

/** Nothing is shared unless it is ticked; the wording may be changed, so that it names nobody. */
function Comments({
  round,
  names,
  onChange,
}: {
  round: RoundView;
  names: ReadonlyMap<string, string>;
  onChange: (comments: Record<string, string[]>) => void;
}) {
  const all = Object.entries(round.comments).flatMap(([item, list]) =>
    list.map((text, at) => ({ key: `${item}:${at}`, item, text })),
  );
  const [shared, setShared] = useState<Record<string, string>>({});
  if (all.length === 0) return null;
  const put = (next: Record<string, string>): void => {
    setShared(next);
    const told = all.flatMap(({ key, item }) => {
      const text = next[key]?.trim() ?? '';
      return text === '' ? [] : [[item, text] as const];
    });
    const grouped: Record<string, string[]> = {};
    for (const [item, text] of told) (grouped[item] ??= []).push(text);
    onChange(grouped);
  };
  return (
    <details className={styles['field']}>
      <summary>
        专家意见（{all.length} 条，已选 {Object.keys(shared).length} 条在下一轮分享）
      </summary>
      <p className={styles['quiet']}>
        勾选的意见匿名显示给所有专家，每个指标最多 5 条。请先改掉能认出个人或单位的字句。
      </p>
      {all.map(({ key, item, text }) => {
        const isShared = shared[key] !== undefined;
        const count = all.filter((one) => one.item === item && shared[one.key] !== undefined).length;
        return (
          <div key={key} className={styles['comment']}>
            <Checkbox
              checked={isShared}
              disabled={!isShared && count >= 5}
              onChange={({ target }) => {
                const { [key]: _left, ...rest } = shared;
                put(target.checked ? { ...shared, [key]: text } : rest);
              }}
            >
              {names.get(item) ?? item}
            </Checkbox>
            {isShared ? (
              <Input.TextArea
                aria-label={`分享的意见：${names.get(item) ?? item}`}
                autoSize
                maxLength={1000}
                value={shared[key]}
                onChange={({ target }) => put({ ...shared, [key]: target.value })}
              />
            ) : (
              <p>{text}</p>
            )}
          </div>
        );
      })}
    </details>
  );
}

function Panel({ project }: { project: Project }) {
  const experts = useQuery({
    ...expertsQuery(project.id),
    refetchInterval: project.state === 'collecting' ? 20_000 : false,
  });
  const [text, setText] = useState('');
  const names = text
    .split(/[\n,，、;；]+/u)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const add = async (): Promise<void> => {
    await addExperts(project.id, names);
    setText('');
    toast.done(`已添加 ${names.length} 位专家`);
  };
  return (
    <section className={styles['section']} aria-labelledby="collect-panel">
      <h2 id="collect-panel">专家</h2>
      <Loaded query={experts}>
        {({ list }) =>
          list.length === 0 ? (
            <p>还没有专家。添加后每位得到自己的链接。</p>
          ) : (
            <Experts project={project} list={list} at={experts.dataUpdatedAt} />
          )
        }
      </Loaded>
      {project.state === 'finished' ? null : (
        <div className={styles['field']}>
          <Input.TextArea
            aria-label="添加专家"
            placeholder="姓名或代号，一行一位。姓名只有您能看到，不进入答卷和导出"
            autoSize={{ minRows: 2, maxRows: 8 }}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <span>
            <Button disabled={names.length === 0} onClick={() => void add()}>
              添加专家
            </Button>
          </span>
        </div>
      )}
    </section>
  );
}

function Experts({ project, list, at }: { project: Project; list: readonly Expert[]; at: number }) {
  const [writing, setWriting] = useState<MessageKind | null>(null);
  const personal = list.filter(({ quescode }) => quescode !== null);
  const late = toRemind(list, at);
  const copyAll = () =>
    copyForms(
      { text: personal.map(({ name, code, quescode }) => `${name ?? code}\t${linkOf(quescode ?? '')}`).join('\n') },
      `已复制 ${personal.length} 个链接`,
    );
  return (
    <>
      <div className={styles['scroll']}>
        <table className={table['table']}>
          <thead>
            <tr>
              <th scope="col">编号</th>
              <th scope="col">姓名</th>
              <th scope="col">状态</th>
              <th scope="col">进度</th>
              <th scope="col">最近保存</th>
              <th scope="col">提醒</th>
              <th scope="col">链接</th>
            </tr>
          </thead>
          <tbody>
            {list.map((one) => (
              <tr key={one.id}>
                <td>{one.code}</td>
                <td>{one.name ?? '公开链接'}</td>
                <td>
                  {EXPERT_STATES[one.state]}
                  {one.late ? '（逾期）' : ''}
                  {one.signs.length > 0 ? `（${one.signs.map((sign) => SIGNS[sign]).join('、')}）` : ''}
                </td>
                <td>
                  {one.answered}/{one.asked}
                </td>
                <td>{one.saved_at === null ? '—' : minuteText(one.saved_at)}</td>
                <td>{one.reminders === 0 ? '—' : `${one.reminders} 次`}</td>
                <td>
                  {one.quescode === null ? '—' : <LinkTools project={project} expert={one} code={one.quescode} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={styles['acts']}>
        <Button onClick={() => setWriting('invite')}>写邀请</Button>
        {project.state === 'collecting' ? (
          <Button disabled={late.length === 0} onClick={() => setWriting('remind')}>
            提醒未提交的（{late.length} 位）
          </Button>
        ) : null}
        <Button onClick={() => void copyAll()}>复制全部链接</Button>
        <span className={styles['quiet']}>请用邮件或微信逐位发送；链接等同于这位专家本人，不要发到群里。</span>
      </div>
      {writing === null ? null : (
        <Messages
          key={writing}
          kind={writing}
          project={project}
          experts={writing === 'remind' ? late : personal}
          onClose={() => setWriting(null)}
        />
      )}
    </>
  );
}

interface MessagesProps {
  kind: MessageKind;
  project: Project;
  experts: readonly Expert[];
  onClose: () => void;
}

/** Nothing is sent from here: each message is copied, and a reminder noted when it is. */
function Messages({ kind, project, experts, onClose }: MessagesProps) {
  const [text, setText] = useState(() => templateOf(kind, project));
  const due = project.rounds.at(-1)?.due_at ?? null;
  const copy = async (some: readonly Expert[]): Promise<boolean> => {
    const messages = some.map((one) => messageTo(text, one, due));
    if (!(await copyForms({ text: messages.join('\n\n') }, `已复制 ${some.length} 条，请粘贴发送`))) return false;
    if (kind === 'remind')
      await remind(
        project.id,
        some.map(({ id }) => id),
      );
    return true;
  };
  return (
    <Dialog open title={kind === 'invite' ? '写邀请' : '提醒未提交的专家'} width="choose" onClose={onClose}>
      <p className={styles['quiet']}>
        {'{姓名}、{链接}、{截止}'} 会换成每位专家自己的。平台不代发，请复制后用邮件或微信逐位发送。
        {kind === 'remind' ? '复制即记为已提醒，同一位专家一天最多提醒一次。' : ''}
      </p>
      <Input.TextArea
        aria-label="消息内容"
        autoSize={{ minRows: 5, maxRows: 12 }}
        maxLength={2000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <ul className={styles['people']}>
        {experts.map((one) => (
          <li key={one.id}>
            <span>
              {one.code} {one.name ?? ''}（{EXPERT_STATES[one.state]}）
            </span>
            <Button size="small" onClick={() => void copy([one])}>
              复制这一条
            </Button>
          </li>
        ))}
      </ul>
      <div className={styles['acts']}>
        <Button
          type="primary"
          disabled={experts.length === 0}
          onClick={() => void copy(experts).then((copied) => copied && onClose())}
        >
          复制全部 {experts.length} 条
        </Button>
      </div>
    </Dialog>
  );
}

/** The link as a picture to be scanned, on a screen or printed. */
function ScanDialog({ title, code, onClose }: { title: string; code: string; onClose: () => void }) {
  return (
    <Dialog open title={title} width="confirm" onClose={onClose}>
      <div className={styles['scan']}>
        <QRCode value={linkOf(code)} type="svg" size={240} color="#000" bgColor="#fff" bordered={false} />
        <p className={styles['link']}>{linkOf(code)}</p>
      </div>
    </Dialog>
  );
}

function LinkTools({ project, expert, code }: { project: Project; expert: Expert; code: string }) {
  const [scans, setScans] = useState(false);
  return (
    <>
      <Button type="link" size="small" onClick={() => void copyForms({ text: linkOf(code) }, '链接已复制')}>
        复制
      </Button>
      <Button type="link" size="small" onClick={() => setScans(true)}>
        二维码
      </Button>
      {scans ? <ScanDialog title={`${expert.code} 的二维码`} code={code} onClose={() => setScans(false)} /> : null}
      <Button
        type="link"
        size="small"
        onClick={() => void renewLink(project.id, expert.id).then(() => toast.done('旧链接已失效'))}
      >
        换新链接
      </Button>
      {expert.state === 'invited' || expert.state === 'opened' ? (
        <Button type="link" size="small" danger onClick={() => void removeExpert(project.id, expert.id)}>
          删除
        </Button>
      ) : null}
    </>
  );
}

function PublicLink({ project }: { project: Project }) {
  const code = project.public_code;
  const [scans, setScans] = useState(false);
  return (
    <section className={styles['section']} aria-labelledby="collect-public">
      <h2 id="collect-public">公开链接</h2>
      <p className={styles['quiet']}>谁打开都能参加，开始后得到自己的链接。无法核实身份，也无法防止一人多答。</p>
      {code === null ? null : <p className={styles['link']}>{linkOf(code)}</p>}
      <div className={styles['acts']}>
        {code === null ? (
          <Button onClick={() => void setPublicLink(project.id, true)}>开启公开链接</Button>
        ) : (
          <>
            <Button onClick={() => void copyForms({ text: linkOf(code) }, '链接已复制')}>复制</Button>
            <Button onClick={() => setScans(true)}>二维码</Button>
            <Button onClick={() => void setPublicLink(project.id, false)}>关闭</Button>
            {scans ? <ScanDialog title="公开链接的二维码" code={code} onClose={() => setScans(false)} /> : null}
          </>
        )}
      </div>
    </section>
  );
}
