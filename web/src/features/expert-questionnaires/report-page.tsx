/** /pro-analysis/report/{pid}: how the rounds went, what was asked by which rules, and the analysis by the same method as typed judgements. */
import { percent } from '@hengxi/contracts/format';
import type { Dataset, Project, RoundView } from '@hengxi/server/expert-questionnaires/schema';
import { Button, Checkbox, Tabs } from 'antd';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';

import table from '../../ui/plain-table.module.css';
import { ProjectFrame } from './frame.tsx';
import styles from './pro.module.css';
import { makeDataset, makeProject } from './queries.ts';
import { hierarchyOf } from './templates.ts';
import { ABOUT_NAMES, ASKS, DESIGNS, minuteText, RULE_NAMES, VERDICTS } from './words.ts';

export function ReportPage() {
  return (
    <ProjectFrame>
      {(project) => (
        <Tabs
          items={[
            { key: 'overview', label: '概览', children: <Overview project={project} /> },
            ...(project.kind === 'delphi'
              ? [{ key: 'rounds', label: '各轮结果', children: <RoundResults project={project} /> }]
              : []),
            ...(project.content.protocol.about.length > 0
              ? [{ key: 'panel', label: '专家构成', children: <Composition project={project} /> }]
              : []),
            { key: 'rules', label: '方法说明', children: <Rules project={project} /> },
          ]}
        />
      )}
    </ProjectFrame>
  );
}

function Overview({ project }: { project: Project }) {
  const hasClosed = project.rounds.some(({ state }) => state === 'closed');
  return (
    <>
      <p className={styles['lead']}>
        {project.kind === 'delphi'
          ? '分析给出各指标的均值、变异系数和筛选结论，专家积极系数与权威程度，Kendall W，以及相邻两轮之间是否稳定。'
          : '分析给出各指标的局部与全局权重、每位专家的一致性、群体共识和方案排序；不一致的判断保留并标出。'}
      </p>
      {hasClosed ? null : <p>还没有结束的轮次。结束一轮后才能分析。</p>}
      <Analyse project={project} disabled={!hasClosed} />
      {project.rounds.length > 0 ? <Rounds project={project} /> : null}
      {project.kind === 'delphi' && hasClosed ? <Onwards project={project} /> : null}
    </>
  );
}

function Analyse({ project, disabled }: { project: Project; disabled: boolean }) {
  const [isWorking, setIsWorking] = useState(false);
  const [made, setMade] = useState<Dataset | null>(null);
  const [accepts, setAccepts] = useState(false);
  const few = fewOf(project);
  const isHeld = disabled || (few.length > 0 && !accepts);
  const navigate = useNavigate();
  const work = async (analyses: boolean): Promise<void> => {
    setIsWorking(true);
    try {
      const data = await makeDataset(project.id);
      setMade(data);
      if (analyses)
        await navigate(`/analysis/operation/${data.vid}?method=${data.method}`, { state: { carry: data.form } });
    } finally {
      setIsWorking(false);
    }
  };
  return (
    <>
      {few.length > 0 ? (
        <p>
          <Checkbox checked={accepts} onChange={({ target }) => setAccepts(target.checked)}>
            第 {few.map(({ number }) => number).join('、')} 轮的专家少于协议规定的{' '}
            {project.content.protocol.min_experts} 位，仍要分析，并在论文里说明
          </Checkbox>
        </p>
      ) : null}
      <div className={styles['acts']}>
        <Button type="primary" disabled={isHeld} loading={isWorking} onClick={() => void work(true)}>
          用{project.kind === 'delphi' ? '德尔菲法' : ' AHP 专业版'}分析
        </Button>
        <Button disabled={isHeld} loading={isWorking} onClick={() => void work(false)}>
          只发送到我的数据
        </Button>
        {made === null ? null : (
          <span role="status">
            已发送 {made.sheets} 份答卷
            {made.left_out.length > 0 ? `，第 ${made.left_out.join('、')} 轮的答卷太少，没有列入` : ''}。
            <Link to={`/mydata/detail/${made.vid}`}>打开数据，可导出 csv、xlsx、sav</Link>
          </span>
        )}
      </div>
      <p className={styles['quiet']}>
        数据里只有专家编号，没有姓名。没有提交但答完八成以上的答卷记为“部分”，一并列入；分析时可以按“状态”筛去逾期和部分的答卷，比较结论是否改变。
      </p>
    </>
  );
}

/** In the words of a paper, from the numbers of each closed round. */
const saidOf = ({ number, invited, submitted, late }: RoundView): string =>
  `第 ${number} 轮共邀请 ${invited} 位专家，收回答卷 ${submitted} 份${late > 0 ? `（其中逾期 ${late} 份）` : ''}${
    invited > 0 ? `，专家积极系数为 ${percent(submitted / invited)}` : ''
  }。`;

/** Closed rounds of a Delphi with fewer experts than its protocol asks for. */
const fewOf = ({ kind, rounds, content }: Project): RoundView[] =>
  kind === 'delphi'
    ? rounds.filter(({ state, submitted }) => state === 'closed' && submitted < content.protocol.min_experts)
    : [];

function Rounds({ project }: { project: Project }) {
  const closed = project.rounds.filter(({ state }) => state === 'closed');
  return (
    <section className={styles['section']} aria-labelledby="report-rounds">
      <h2 id="report-rounds">各轮回收</h2>
      {closed.length > 0 ? <p>{closed.map(saidOf).join('')}</p> : null}
      <div className={styles['scroll']}>
        <table className={table['table']}>
          <thead>
            <tr>
              <th scope="col">轮次</th>
              <th scope="col">版本</th>
              <th scope="col">开始</th>
              <th scope="col">结束</th>
              <th scope="col">邀请</th>
              <th scope="col">提交</th>
              <th scope="col">逾期</th>
            </tr>
          </thead>
          <tbody>
            {project.rounds.map((round) => (
              <tr key={round.number}>
                <td>第 {round.number} 轮</td>
                <td>{round.version}</td>
                <td>{minuteText(round.opened_at)}</td>
                <td>{round.closed_at === null ? '收集中' : minuteText(round.closed_at)}</td>
                <td>{round.invited}</td>
                <td>{round.submitted}</td>
                <td>{round.late}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** From the items that were kept to their weights. */
function Onwards({ project }: { project: Project }) {
  const [isWorking, setIsWorking] = useState(false);
  const navigate = useNavigate();
  const make = async (): Promise<void> => {
    setIsWorking(true);
    try {
      const { id } = await makeProject(hierarchyOf(project));
      await navigate(`/pro-analysis/edit/${id}`);
    } finally {
      setIsWorking(false);
    }
  };
  return (
    <section className={styles['section']} aria-labelledby="report-onwards">
      <h2 id="report-onwards">接着求权重</h2>
      <p className={styles['quiet']}>
        用没有删除的指标新建 AHP 问卷：维度作为准则，指标作为子准则。编号不变，可以再修改。
      </p>
      <div className={styles['acts']}>
        <Button loading={isWorking} onClick={() => void make()}>
          做成 AHP 问卷
        </Button>
      </div>
    </section>
  );
}

/** What was not decided is asked again in the next round, where there is one. */
const decisionOf = ({ round: last }: Project, { number, decisions }: RoundView, item: string): string => {
  const verdict = decisions[item] ?? (number < last ? 'again' : null);
  return verdict === null ? '—' : VERDICTS[verdict];
};

function RoundResults({ project }: { project: Project }) {
  const names = new Map(project.content.items.map(({ id, text }) => [id, text]));
  const shown = project.rounds.filter(({ state }) => state === 'closed');
  if (shown.length === 0) return <p>还没有结束的轮次。</p>;
  return (
    <>
      {shown.map((round) => (
        <section key={round.number} className={styles['section']} aria-labelledby={`results-${round.number}`}>
          <h2 id={`results-${round.number}`}>第 {round.number} 轮</h2>
          {round.results === null ? (
            <p>答卷少于 {project.content.protocol.least_shown} 份，为保护匿名不显示。</p>
          ) : (
            <div className={styles['scroll']}>
              <table className={table['table']}>
                <thead>
                  <tr>
                    <th scope="col">指标</th>
                    <th scope="col">人数</th>
                    {round.results
                      .find(({ counts }) => counts.length > 0)
                      ?.counts.map((_, at) => (
                        <th key={at} scope="col">
                          {at + 1} 分
                        </th>
                      ))}
                    <th scope="col">中位数（Q1–Q3）</th>
                    <th scope="col">决定</th>
                  </tr>
                </thead>
                <tbody>
                  {round.results.map((card) => (
                    <tr key={card.item}>
                      <td className={styles['wrapped']}>{names.get(card.item) ?? card.item}</td>
                      <td>{card.n}</td>
                      {round.results
                        ?.find(({ counts }) => counts.length > 0)
                        ?.counts.map((_, at) => (
                          <td key={at}>{card.counts[at] ?? '—'}</td>
                        ))}
                      <td>{card.median === null ? '—' : `${card.median}（${card.q1}–${card.q3}）`}</td>
                      <td>{decisionOf(project, round, card.item)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </section>
      ))}
    </>
  );
}

function Composition({ project }: { project: Project }) {
  const { composition, content } = project;
  const fields = content.protocol.about.filter((one) => composition[one] !== undefined);
  if (fields.length === 0)
    return <p>结束的轮次里提交的专家还不到 {content.protocol.least_shown} 位，为保护匿名不显示。</p>;
  return (
    <div className={styles['scroll']}>
      <table className={table['table']}>
        <thead>
          <tr>
            <th scope="col">特征</th>
            <th scope="col">类别</th>
            <th scope="col">人数</th>
            <th scope="col">构成比</th>
          </tr>
        </thead>
        <tbody>
          {fields.flatMap((one) => {
            const rows = Object.entries(composition[one] ?? {}).sort((a, b) => b[1] - a[1]);
            const total = rows.reduce((sum, [, n]) => sum + n, 0);
            return rows.map(([name, n], at) => (
              <tr key={`${one}-${name}`}>
                <td>{at === 0 ? ABOUT_NAMES[one] : ''}</td>
                <td>{name}</td>
                <td>{n}</td>
                <td>{percent(n / total)}</td>
              </tr>
            ));
          })}
        </tbody>
      </table>
    </div>
  );
}

function Rules({ project }: { project: Project }) {
  const { protocol } = project.content;
  const lines =
    project.kind === 'ahp'
      ? [
          ['比较方式', DESIGNS[protocol.design]],
          ['标度', '1–9 标度；不确定的比较记为缺失'],
          ['一致性', `CR 大于 ${protocol.cr_max} 时提醒专家复核，不强制修改`],
        ]
      : [
          ['评分', `${ASKS[protocol.asks].name}，1–${protocol.scale_max} 分；不属于自己领域的记为缺失`],
          ['筛选标准', RULE_NAMES[protocol.rule]],
          ['最多轮数', `${protocol.max_rounds} 轮`],
          ['最少专家', `${protocol.min_experts} 位`],
          [
            '匿名',
            `少于 ${protocol.least_shown} 人的评分不显示；专家之间看不到彼此的答案，组织者可以知道哪份答卷是谁的`,
          ],
          ['下一轮', '所有没有退出的专家都会被邀请，看到上一轮的分布、自己的评分和组织者分享的匿名意见'],
          ...(protocol.ask_authority
            ? [
                [
                  '判断依据',
                  protocol.ca.map((one) => `${one.name} ${one.large}/${one.medium}/${one.small}`).join('，'),
                ],
                ['熟悉程度', protocol.cs.map(({ name, value }) => `${name} ${value}`).join('，')],
              ]
            : []),
        ];
  return (
    <>
      <dl className={styles['facts']}>
        {lines.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <section className={styles['section']} aria-labelledby="rules-versions">
        <h2 id="rules-versions">协议的版本</h2>
        {project.versions.length === 0 ? (
          <p>还没有发布。发布时协议即冻结，之后的修改都写明原因。</p>
        ) : (
          <ul>
            {project.versions.map((one) => (
              <li key={one.number}>
                第 {one.number} 版，{minuteText(one.frozen_at)}：{one.reason}
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
