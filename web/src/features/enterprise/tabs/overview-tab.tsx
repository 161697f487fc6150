/** 概览: seats, term, storage, runs; for members what they hold, and leaving. */
import type { Enterprise } from '@hengxi/server/enterprise/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';

import { formatBytes, formatDay } from '../../../lib/format-size.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import styles from '../enterprise.module.css';
import { usageQuery } from '../queries.ts';
import { LeavingDialog } from './members-tab.tsx';

export function Meter({ used, most, label }: { used: number; most: number; label: string }) {
  const part = most > 0 ? Math.min(1, used / most) : 0;
  return (
    <div
      className={styles['meter']}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(part * 100)}
      data-full={part >= 1}
    >
      <span style={{ width: `${part * 100}%` }} />
    </div>
  );
}

/** From 80 percent on; at 100 uploads stop and analyses go on. */
export function StorageWord({ used, most }: { used: number; most: number }) {
  if (used * 100 < most * 80) return null;
  return (
    <span className={styles['fault']} role="status">
      {used >= most ? '存储空间已用满，不能再上传；分析不受影响。' : '存储空间已用 80% 以上，用满后不能上传。'}
    </span>
  );
}

export function OverviewTab({ enterprise }: { enterprise: Enterprise }) {
  const { seats, seats_used: used, starts_at: start, ends_at: end, credit_code: credit, contact, can } = enterprise;
  const [isLeaving, setLeaving] = useState(false);
  return (
    <>
      <section className={styles['section']} aria-labelledby="overview-seats">
        <h2 id="overview-seats">席位与期限</h2>
        <div className={styles['cards']}>
          <div className={styles['card']}>
            <span className={styles['quiet']}>席位</span>
            <span className={styles['figure']}>
              {used}/{seats}
            </span>
            <Meter used={used} most={seats} label="席位使用" />
          </div>
          <div className={styles['card']}>
            <span className={styles['quiet']}>服务期限</span>
            <span className={styles['figure']}>{end ? formatDay(end) : '未开通'}</span>
            <span className={styles['quiet']}>{start ? `自 ${formatDay(start)}` : '购买席位后开始'}</span>
          </div>
        </div>
        {can.own ? <Link to={`/enterprise/${enterprise.id}?tab=orders`}>购买或续费席位</Link> : null}
      </section>
      {can.manage ? (
        <>
          <Numbers eid={enterprise.id} />
          <section className={styles['section']} aria-labelledby="overview-facts">
            <h2 id="overview-facts">企业信息</h2>
            <dl className={styles['facts']}>
              <dt>统一社会信用代码</dt>
              <dd>{credit ?? '未填写'}</dd>
              <dt>联系人</dt>
              <dd>{contact || '未填写'}</dd>
            </dl>
          </section>
        </>
      ) : (
        <p className={styles['quiet']}>
          成员管理、配额和订单由企业所有者与管理员负责。在企业空间工作，请到“个人中心 → 账号”切换到企业版。
        </p>
      )}
      {can.own ? null : (
        <section className={styles['section']} aria-labelledby="overview-leave">
          <h2 id="overview-leave">退出企业</h2>
          <p className={styles['quiet']}>您在企业空间创建的内容归企业所有，退出时转交给接手人。</p>
          <div className={styles['acts']}>
            <Button danger onClick={() => setLeaving(true)}>
              退出企业
            </Button>
          </div>
        </section>
      )}
      {isLeaving ? (
        <LeavingDialog
          eid={enterprise.id}
          member={{ ...enterprise.me, nickname: '', is_me: true }}
          picks={can.manage}
          onClose={() => setLeaving(false)}
        />
      ) : null}
    </>
  );
}

function Numbers({ eid }: { eid: number }) {
  const usage = useQuery(usageQuery(eid));
  return (
    <section className={styles['section']} aria-labelledby="overview-usage">
      <h2 id="overview-usage">用量</h2>
      <Loaded query={usage}>
        {(data) => (
          <div className={styles['cards']}>
            <div className={styles['card']}>
              <span className={styles['quiet']}>存储</span>
              <span className={styles['figure']}>{formatBytes(data.storage_bytes)}</span>
              <Meter used={data.storage_bytes} most={data.storage_limit} label="存储使用" />
              <span className={styles['quiet']}>共 {formatBytes(data.storage_limit)}</span>
              <StorageWord used={data.storage_bytes} most={data.storage_limit} />
            </div>
            <div className={styles['card']}>
              <span className={styles['quiet']}>今日分析</span>
              <span className={styles['figure']}>{data.analyses_today}</span>
              <span className={styles['quiet']}>近 30 天 {data.analyses_month} 次</span>
            </div>
            <div className={styles['card']}>
              <span className={styles['quiet']}>进行中的任务</span>
              <span className={styles['figure']}>{data.runs_open}</span>
            </div>
          </div>
        )}
      </Loaded>
    </section>
  );
}
