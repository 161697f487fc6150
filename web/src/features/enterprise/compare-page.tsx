/** /enterprise-compare: the three editions, from the same table the server enforces. */
import type { EditionLimits } from '@hengxi/contracts/editions';
import type { Edition } from '@hengxi/server/membership/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useNavigate } from 'react-router';

import { type EditionLine, editionsQuery, useEditionLines } from '../../lib/editions.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import plain from '../../ui/plain-table.module.css';
import styles from './enterprise.module.css';
import { saveContract } from './queries.ts';

const TITLES: Record<Edition, string> = { standard: '标准版', member: '会员', enterprise: '企业版' };

/** What comes with working together, not with a limit. */
const TOGETHER: readonly EditionLine[] = ['成员、角色与操作日志', '席位管理与内容交接'].map((title) => ({
  title,
  show: ({ edition }: EditionLimits) => (edition === 'enterprise' ? '有' : '无'),
}));

export function ComparePage() {
  const editions = useQuery(editionsQuery);
  const lines = [...useEditionLines(), ...TOGETHER];
  const navigate = useNavigate();
  return (
    <div className={styles['page']}>
      <PageTitle title="各版本对比" aside="表中就是实际执行的限额" />
      <div style={{ marginTop: 24 }}>
        <Loaded query={editions}>
          {(list) => (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            <div className={styles['scroll']} role="region" aria-label="各版本对比" tabIndex={0}>
              <table className={plain['table']}>
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
                  {lines.map(({ title, show, perSeat }) => (
                    <tr key={title}>
                      <th scope="row">{title}</th>
                      {list.map((limits) => (
                        <td key={limits.edition}>
                          {show(limits)}
                          {perSeat && limits.edition === 'enterprise' ? ' / 席位' : ''}
                        </td>
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
