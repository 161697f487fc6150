/** The personal center: one list of places, one place at a time. `?edu=1` and `?type=2` are the specification's. */
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';

import { useMe } from '../../lib/me.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { DevicesSection } from './account/devices-section.tsx';
import { PrivacySection } from './account/privacy-section.tsx';
import { ProfileSection } from './account/profile-section.tsx';
import { SettingsSection } from './account/settings-section.tsx';
import { EducationSection } from './education/education-section.tsx';
import { InviteSection } from './invite-section.tsx';
import styles from './member-page.module.css';
import { MembershipSection } from './membership-section.tsx';
import { OrdersSection } from './orders/orders-section.tsx';

interface Place {
  tab: string;
  title: string;
  /** Bought and earned things belong to the personal version. */
  personal: boolean;
  page: (params: URLSearchParams) => ReactNode;
}

const PLACES: readonly Place[] = [
  { tab: 'account', title: '账号', personal: false, page: () => <ProfileSection /> },
  { tab: 'membership', title: '会员', personal: false, page: () => <MembershipSection /> },
  { tab: 'orders', title: '订单记录', personal: true, page: () => <OrdersSection /> },
  {
    tab: 'education',
    title: '教育认证',
    personal: true,
    page: (params) => <EducationSection start={startOf(params)} />,
  },
  { tab: 'invite', title: '邀请好友', personal: true, page: () => <InviteSection /> },
  { tab: 'devices', title: '登录设备', personal: false, page: () => <DevicesSection /> },
  { tab: 'settings', title: '设置', personal: false, page: () => <SettingsSection /> },
  { tab: 'privacy', title: '隐私与数据', personal: false, page: () => <PrivacySection /> },
];

/** The place an address means. */
export function tabOf(params: URLSearchParams): string {
  if (params.get('edu') === '1') return 'education';
  if (params.get('type') === '2') return 'orders';
  return params.get('tab') ?? 'account';
}

function startOf(params: URLSearchParams): 'new' | 'edit' | null {
  const start = params.get('eduParams');
  return start === 'new' || start === 'edit' ? start : null;
}

export function MemberPage() {
  const me = useMe();
  const [params] = useSearchParams();
  const places = PLACES.filter((place) => !place.personal || me?.identity !== 2);
  const wanted = tabOf(params);
  const shown = places.find((place) => place.tab === wanted) ?? places[0];
  const nav = useRef<HTMLElement>(null);
  // On a phone the list is a strip: the place one is at must be in it.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [wanted]);
  return (
    <div className={styles['page']}>
      <PageTitle title="个人中心" />
      <div className={styles['columns']}>
        <nav ref={nav} aria-label="个人中心" className={styles['nav']}>
          {places.map((place) => (
            <Link
              key={place.tab}
              to={`/member?tab=${place.tab}`}
              replace
              className={place === shown ? `${styles['place']} ${styles['on']}` : styles['place']}
              aria-current={place === shown ? 'page' : undefined}
            >
              {place.title}
            </Link>
          ))}
        </nav>
        <div className={styles['content']}>{shown?.page(params)}</div>
      </div>
    </div>
  );
}
