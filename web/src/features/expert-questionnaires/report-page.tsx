/** /pro-analysis/report/{pid}: the answers as data, and their analysis by the same method as typed judgements. */
import type { Dataset, Project } from '@hengxi/server/expert-questionnaires/schema';
import { Button } from 'antd';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';

import table from '../../ui/plain-table.module.css';
import { ProjectFrame } from './frame.tsx';
import styles from './pro.module.css';
import { makeDataset } from './queries.ts';
import { minuteText } from './words.ts';

export function ReportPage() {
  return <ProjectFrame>{(project) => <Results project={project} />}</ProjectFrame>;
}

function Results({ project }: { project: Project }) {
  const [isWorking, setIsWorking] = useState(false);
  const [made, setMade] = useState<Dataset | null>(null);
  const navigate = useNavigate();
  const hasClosed = project.rounds.some(({ state }) => state === 'closed');
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
      <p className={styles['lead']}>
        {project.kind === 'delphi'
          ? '分析给出各指标的均值、变异系数和筛选结论，专家积极系数与权威程度，Kendall W，以及相邻两轮之间是否稳定。'
          : '分析给出各指标的局部与全局权重、每位专家的一致性、群体共识和方案排序；不一致的判断保留并标出。'}
      </p>
      {hasClosed ? null : <p>还没有结束的轮次。结束一轮后才能查看结果。</p>}
      <div className={styles['acts']}>
        <Button type="primary" disabled={!hasClosed} loading={isWorking} onClick={() => void work(true)}>
          用{project.kind === 'delphi' ? '德尔菲法' : ' AHP 专业版'}分析
        </Button>
        <Button disabled={!hasClosed} loading={isWorking} onClick={() => void work(false)}>
          只发送到我的数据
        </Button>
        {made === null ? null : (
          <span role="status">
            已发送 {made.sheets} 份答卷。
            <Link to={`/mydata/detail/${made.vid}`}>打开数据，可导出 csv、xlsx、sav</Link>
          </span>
        )}
      </div>
      <p className={styles['quiet']}>
        数据里只有专家编号，没有姓名。没有提交但答完八成以上的答卷记为“部分”，一并列入。
      </p>
      {project.rounds.length > 0 ? <Rounds project={project} /> : null}
    </>
  );
}

function Rounds({ project }: { project: Project }) {
  return (
    <section className={styles['section']} aria-labelledby="report-rounds">
      <h2 id="report-rounds">各轮回收</h2>
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
