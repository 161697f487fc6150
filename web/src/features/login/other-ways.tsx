/** 其他登录方式: the other of phone and WeChat, the research platform, academic search. Only ways that work are shown. */
import { ExperimentOutlined, MobileOutlined, ReadOutlined, WechatOutlined } from '@ant-design/icons';
import type { Site } from '@hengxi/server/accounts/schema';
import { type ReactNode, useState } from 'react';

import styles from './other-ways.module.css';
import { goToAcademic, goToResearch } from './queries.ts';

export type Way = 'wechat' | 'phone';

interface OtherWaysProps {
  site: Site;
  way: Way;
  next: string | null;
  onSwitch: (way: Way) => void;
}

export function OtherWays({ site, way, next, onSwitch }: OtherWaysProps) {
  const [leaving, setLeaving] = useState(false);
  const research = async () => {
    setLeaving(true);
    await goToResearch(next).catch(() => setLeaving(false));
  };
  if (!site.wechat && !site.research && !site.academic) return null;
  return (
    <div className={styles['ways']}>
      <span className={styles['title']}>其他登录方式</span>
      <div className={styles['row']}>
        {way === 'wechat' ? (
          <WayButton icon={<MobileOutlined />} title="手机号" onClick={() => onSwitch('phone')} />
        ) : site.wechat ? (
          <WayButton icon={<WechatOutlined />} title="微信" onClick={() => onSwitch('wechat')} />
        ) : null}
        {site.research ? (
          <WayButton
            icon={<ExperimentOutlined />}
            title="科研平台"
            disabled={leaving}
            onClick={() => void research()}
          />
        ) : null}
        {site.academic ? (
          <WayButton icon={<ReadOutlined />} title="学术搜索" onClick={() => goToAcademic(next)} />
        ) : null}
      </div>
    </div>
  );
}

interface WayButtonProps {
  icon: ReactNode;
  title: string;
  disabled?: boolean;
  onClick: () => void;
}

function WayButton({ icon, title, disabled = false, onClick }: WayButtonProps) {
  return (
    <button type="button" className={styles['way']} disabled={disabled} onClick={onClick}>
      <span className={styles['icon']} aria-hidden="true">
        {icon}
      </span>
      {title}
    </button>
  );
}
