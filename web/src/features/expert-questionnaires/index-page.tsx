/** /pro-analysis/index: one's expert questionnaires, and a new one. */
import type { Kind, ProjectEntry } from '@hengxi/server/expert-questionnaires/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';

import { toast } from '../../lib/toast.ts';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import table from '../../ui/plain-table.module.css';
import styles from './pro.module.css';
import { copyProject, makeProject, projectsQuery, removeForGood, removeProject, restoreProject } from './queries.ts';
import { startOf, TEMPLATES } from './templates.ts';
import { KINDS, minuteText, STATES } from './words.ts';

function homeOf({ id, state }: Pick<ProjectEntry, 'id' | 'state'>): string {
  if (state === 'draft') return `/pro-analysis/edit/${id}`;
  return state === 'finished' ? `/pro-analysis/report/${id}` : `/pro-analysis/collect/${id}`;
}

export function ProAnalysisIndexPage() {
  const [params, setParams] = useSearchParams();
  const isBin = params.get('bin') === '1';
  const projects = useQuery(projectsQuery(isBin));
  if (isBin)
    return (
      <div className={styles['page']}>
        <PageTitle title="回收站" actions={<Button onClick={() => setParams({})}>返回专家问卷</Button>} />
        <p className={styles['lead']}>删除的问卷在这里保留 30 天，链接打不开；恢复后链接重新有效。</p>
        <Loaded query={projects}>
          {({ list }) => (list.length === 0 ? <p>回收站里没有问卷。</p> : <Bin list={list} />)}
        </Loaded>
      </div>
    );
  return (
    <div className={styles['page']}>
      <PageTitle title="专家问卷" actions={<NewButtons />} />
      <p className={styles['lead']}>
        德尔菲：请专家分几轮打分，每轮看到上一轮的分布，筛选指标。AHP：请专家两两比较，得到指标的权重。
      </p>
      <Loaded query={projects}>
        {({ list }) =>
          list.length === 0 ? (
            <EmptyState
              title="还没有专家问卷"
              hint="新建一个，写好指标，把链接发给专家。专家不需要账号。"
              actions={<NewButtons />}
            />
          ) : (
            <Projects list={list} />
          )
        }
      </Loaded>
      <p className={styles['acts']}>
        <Link to="/pro-analysis/index?bin=1">回收站</Link>
      </p>
    </div>
  );
}

function NewButtons() {
  const navigate = useNavigate();
  const [making, setMaking] = useState<string | null>(null);
  const [chooses, setChooses] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const make = async (key: string, start: Parameters<typeof makeProject>[0]): Promise<void> => {
    setMaking(key);
    try {
      const { id } = await makeProject(start);
      await navigate(`/pro-analysis/edit/${id}`);
    } finally {
      setMaking(null);
    }
  };
  const readIn = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const start = startOf(await file.text());
    if (start === null) toast.warn('这不是衡析导出的专家问卷文件，请选择从“编辑”页导出的 .json 文件');
    else await make('file', start);
  };
  const plain = (kind: Kind) => make(kind, { kind, title: `未命名的${KINDS[kind]}问卷` });
  return (
    <span className={styles['acts']}>
      <Button type="primary" loading={making === 'delphi'} onClick={() => void plain('delphi')}>
        新建德尔菲问卷
      </Button>
      <Button loading={making === 'ahp'} onClick={() => void plain('ahp')}>
        新建 AHP 问卷
      </Button>
      <Button onClick={() => setChooses(true)}>从模板新建</Button>
      <Dialog open={chooses} title="从模板新建" width="choose" onClose={() => setChooses(false)}>
        <ul className={styles['templates']}>
          {TEMPLATES.map(({ key, name, what, start }) => (
            <li key={key}>
              <Button block loading={making === key} onClick={() => void make(key, start)}>
                {name}
              </Button>
              <span className={styles['quiet']}>{what}</span>
            </li>
          ))}
          <li>
            <Button block loading={making === 'file'} onClick={() => picker.current?.click()}>
              从文件导入
            </Button>
            <span className={styles['quiet']}>别处导出的专家问卷（.json），不含专家和答卷</span>
          </li>
        </ul>
        <input
          ref={picker}
          type="file"
          hidden
          accept="application/json,.json"
          aria-label="专家问卷文件"
          onChange={(event) => {
            void readIn(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </Dialog>
    </span>
  );
}

function Bin({ list }: { list: readonly ProjectEntry[] }) {
  const [ending, setEnding] = useState<ProjectEntry | null>(null);
  const end = async (): Promise<void> => {
    if (ending) await removeForGood(ending.id);
    setEnding(null);
  };
  return (
    <div className={styles['scroll']}>
      <table className={table['table']}>
        <thead>
          <tr>
            <th scope="col">名称</th>
            <th scope="col">类型</th>
            <th scope="col">状态</th>
            <th scope="col">删除时间</th>
            <th scope="col">操作</th>
          </tr>
        </thead>
        <tbody>
          {list.map((one) => (
            <tr key={one.id}>
              <td>{one.title}</td>
              <td>{KINDS[one.kind]}</td>
              <td>{STATES[one.state]}</td>
              <td>{one.deleted_at === null ? '—' : minuteText(one.deleted_at)}</td>
              <td>
                <Button
                  type="link"
                  size="small"
                  onClick={() => void restoreProject(one.id).then(() => toast.done('已恢复'))}
                >
                  恢复
                </Button>
                <Button type="link" size="small" danger onClick={() => setEnding(one)}>
                  彻底删除
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ConfirmDialog
        open={ending !== null}
        title="彻底删除问卷"
        text={`“${ending?.title ?? ''}”的问卷、专家和答卷会立即删除，不能恢复。已经发送到我的数据的文件不受影响。`}
        act="彻底删除"
        danger
        onAct={() => void end()}
        onClose={() => setEnding(null)}
      />
    </div>
  );
}

function Projects({ list }: { list: readonly ProjectEntry[] }) {
  const [leaving, setLeaving] = useState<ProjectEntry | null>(null);
  const remove = async (): Promise<void> => {
    if (leaving) await removeProject(leaving.id);
    setLeaving(null);
  };
  return (
    <div className={styles['scroll']}>
      <table className={table['table']}>
        <thead>
          <tr>
            <th scope="col">名称</th>
            <th scope="col">类型</th>
            <th scope="col">状态</th>
            <th scope="col">答卷</th>
            <th scope="col">截止</th>
            <th scope="col">操作</th>
          </tr>
        </thead>
        <tbody>
          {list.map((one) => (
            <tr key={one.id}>
              <td>
                <Link to={homeOf(one)}>{one.title}</Link>
              </td>
              <td>{KINDS[one.kind]}</td>
              <td>
                {STATES[one.state]}
                {one.round > 0 && one.kind === 'delphi' ? `，第 ${one.round} 轮` : ''}
              </td>
              <td>
                {one.submitted}/{one.experts}
              </td>
              <td>{one.due_at === null ? '—' : minuteText(one.due_at)}</td>
              <td>
                <Button type="link" size="small" onClick={() => void copyProject(one.id)}>
                  复制
                </Button>
                <Button type="link" size="small" danger onClick={() => setLeaving(one)}>
                  删除
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ConfirmDialog
        open={leaving !== null}
        title="删除问卷"
        text={`“${leaving?.title ?? ''}”的链接会立即失效。问卷和答卷在回收站保留 30 天，可以恢复。`}
        act="移到回收站"
        danger
        onAct={() => void remove()}
        onClose={() => setLeaving(null)}
      />
    </div>
  );
}
