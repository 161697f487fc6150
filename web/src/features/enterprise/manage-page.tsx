/** /enterprise/{eid}: 企业管理. The server decides what one may see; whoever is not in the enterprise finds nothing. */
import type { Enterprise } from '@hengxi/server/enterprise/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';

import { isNotFound } from '../../lib/api.ts';
import { formatDay } from '../../lib/format-size.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { returnPath } from './return-path.ts';
import styles from './enterprise.module.css';
import { enterpriseQuery } from './queries.ts';
import { ContentTab } from './tabs/content-tab.tsx';
import { InvitesTab } from './tabs/invites-tab.tsx';
import { LogTab } from './tabs/log-tab.tsx';
import { MembersTab } from './tabs/members-tab.tsx';
import { OrdersTab } from './tabs/orders-tab.tsx';
import { OverviewTab } from './tabs/overview-tab.tsx';
import { SettingsTab } from './tabs/settings-tab.tsx';
import { UsageTab } from './tabs/usage-tab.tsx';
import { ROLES, STATES } from './words.ts';

interface Tab {
  key: string;
  title: string;
  /** Members see what concerns them; the rest is for those who manage. */
  manages: boolean;
  page: (enterprise: Enterprise) => ReactNode;
}

const TABS: readonly Tab[] = [
  { key: 'overview', title: '概览', manages: false, page: (one) => <OverviewTab enterprise={one} /> },
  { key: 'members', title: '成员', manages: true, page: (one) => <MembersTab enterprise={one} /> },
  { key: 'invites', title: '邀请', manages: true, page: (one) => <InvitesTab enterprise={one} /> },
  { key: 'content', title: '内容与分享', manages: false, page: (one) => <ContentTab enterprise={one} /> },
  { key: 'usage', title: '用量与配额', manages: true, page: (one) => <UsageTab enterprise={one} /> },
  { key: 'orders', title: '订单与合同', manages: true, page: (one) => <OrdersTab enterprise={one} /> },
  { key: 'log', title: '操作日志', manages: true, page: (one) => <LogTab enterprise={one} /> },
  { key: 'settings', title: '设置', manages: true, page: (one) => <SettingsTab enterprise={one} /> },
];

export function ManagePage() {
  const eid = Number(useParams()['eid']);
  const enterprise = useQuery(enterpriseQuery(eid));
  if (isNotFound(enterprise.error)) return <NotFound />;
  return (
    <div className={styles['page']}>{<Loaded query={enterprise}>{(one) => <Manage enterprise={one} />}</Loaded>}</div>
  );
}

/** What the state means for everybody here; null while all is well. */
export function bannerOf(enterprise: Enterprise): string | null {
  const { state, ends_at: end, dissolves_at: gone, over_seats: isOver, trial, held } = enterprise;
  if (held !== null) return '企业已被平台冻结，数据仍保留；所有者可在“设置”中导出全部数据，如有疑问请联系客服。';
  if (trial?.state === 'waiting') return '试用申请正在审核，通过后即可使用；也可以直接购买席位。';
  if (state === 'pending' && trial?.state === 'refused')
    return `试用申请未通过：${trial.reason ?? ''}。购买席位后即可使用。`;
  if (state === 'pending') return '企业还没有开通，购买席位后即可使用。';
  if (state === 'grace') return `服务已于 ${formatDay(end)} 到期，宽限期内功能不变，请及时续费。`;
  if (state === 'readonly') return '服务已到期，当前为只读：可以查看和导出，续费后恢复。';
  if (state === 'frozen') return '企业已冻结，数据仍保留：所有者可以续费恢复，或在“设置”中导出全部数据。';
  if (state === 'dissolving') return `企业正在解散，将于 ${formatDay(gone)} 删除全部数据；所有者可在“设置”中撤销。`;
  return isOver ? '席位少于成员：请所有者停用部分成员或增加席位，在此之前不能新建内容。' : null;
}

function Manage({ enterprise }: { enterprise: Enterprise }) {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const tabs = TABS.filter(({ manages }) => !manages || enterprise.can.manage);
  const shown = tabs.find(({ key }) => key === params.get('tab')) ?? tabs[0];
  const banner = bannerOf(enterprise);
  const nav = useRef<HTMLElement>(null);
  // On a phone the tabs are a strip: the one shown must be in it.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown?.key]);
  return (
    <>
      <PageTitle
        title={enterprise.name}
        aside={`${ROLES[enterprise.role]}　${STATES[enterprise.state]}`}
        actions={<Button onClick={() => void navigate(returnPath())}>返回工作台</Button>}
      />
      {banner ? (
        <div className={styles['banner']} role="status">
          {banner}
        </div>
      ) : null}
      <div className={styles['columns']}>
        <nav ref={nav} aria-label="企业管理" className={styles['nav']}>
          {tabs.map(({ key, title }) => (
            <Link
              key={key}
              to={`/enterprise/${enterprise.id}?tab=${key}`}
              replace
              className={key === shown?.key ? `${styles['place']} ${styles['on']}` : styles['place']}
              aria-current={key === shown?.key ? 'page' : undefined}
            >
              {title}
            </Link>
          ))}
        </nav>
        <div className={styles['content']}>{shown?.page(enterprise)}</div>
      </div>
    </>
  );
}
