/** /enterprise-compare: the three editions, from the same table the server enforces. */
import type { Limits } from '@hengxi/server/membership/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useNavigate } from 'react-router';

import { integer } from '@hengxi/contracts/format';
import { PageTitle } from '../../ui/page-title.tsx';
import styles from './enterprise.module.css';
import { Loaded } from './parts.tsx';
import { editionsQuery, saveContract } from './queries.ts';

const TITLES: Record<Limits['edition'], string> = { standard: '标准版', member: '会员', enterprise: '企业版' };
const GIB = 1024 ** 3;

const size = (bytes: number | null): string =>
  bytes === null ? '不限' : bytes >= GIB ? `${bytes / GIB} GB` : `${bytes / 1024 ** 2} MB`;
const count = (n: number | null): string => (n === null ? '不限' : integer(n));
const yes = (has: boolean): string => (has ? '有' : '无');

const ROWS: readonly [title: string, show: (limits: Limits) => string][] = [
  ['单个文件', ({ upload_bytes: n }) => size(n)],
  ['存储空间', ({ edition, storage_bytes: n }) => size(n) + (edition === 'enterprise' ? ' / 席位' : '')],
  ['数据文件', ({ files }) => count(files)],
  ['每次分析行数', ({ rows }) => count(rows)],
  ['每日分析次数', ({ analyses_day: n }) => count(n)],
  ['每日自定义脚本', ({ scripts_day: n }) => count(n)],
  ['高级方法与模型', ({ member_methods: has }) => yes(has)],
  ['自定义脚本', ({ own_scripts: has }) => yes(has)],
  ['问卷发布与回收', ({ questionnaires: has }) => yes(has)],
  ['高级绘图', ({ advanced_charts: has }) => yes(has)],
  ['成员、角色与操作日志', ({ edition }) => yes(edition === 'enterprise')],
  ['席位管理与内容交接', ({ edition }) => yes(edition === 'enterprise')],
];

export function ComparePage() {
  const editions = useQuery(editionsQuery);
  const navigate = useNavigate();
  return (
    <div className={styles['page']}>
      <PageTitle title="各版本对比" aside="限额与服务端执行的完全一致" />
      <div style={{ marginTop: 24 }}>
        <Loaded query={editions}>
          {(list) => (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            <div className={styles['scroll']} role="region" aria-label="各版本对比" tabIndex={0}>
              <table className={styles['table']}>
                <thead>
                  <tr>
                    <th scope="col">项目</th>
                    {list.map(({ edition }) => (
                      <th key={edition} scope="col">
                        {TITLES[edition]}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {ROWS.map(([title, show]) => (
                    <tr key={title}>
                      <th scope="row">{title}</th>
                      {list.map((limits) => (
                        <td key={limits.edition}>{show(limits)}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </Loaded>
      </div>
      <div className={styles['acts']} style={{ marginTop: 24 }}>
        <Button type="primary" onClick={() => void navigate('/enterprise?all=1')}>
          立即购买
        </Button>
        <Button onClick={() => void navigate('/enterprise?all=1')}>申请试用</Button>
        <Button onClick={() => void saveContract()}>下载合同模板</Button>
      </div>
    </div>
  );
}
