/** 邀请好友: the link, how many came, the days they brought, and the rules. */
import { CopyOutlined } from '@ant-design/icons';
import type { Invitation } from '@hengxi/server/campaigns/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';

import { errorText } from '../../lib/api.ts';
import { formatDay } from '../../lib/format-size.ts';
import { toast } from '../../lib/toast.ts';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import { invitationQuery } from './queries.ts';
import styles from './sections.module.css';

const STATES: Record<Invitation['records'][number]['state'], string> = {
  open: '已注册，待完成首次分析',
  held: '审核中',
  rewarded: '已奖励',
  void: '不符合规则',
};

export function InviteSection() {
  const invitation = useQuery(invitationQuery);
  if (invitation.isPending) return <ListSkeleton rows={4} />;
  if (invitation.isLoadingError) return <p role="alert">{errorText(invitation.error)}</p>;
  const { invitation_link: link, invite_count: count, ticket, records, running, rules_md: rules } = invitation.data;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link);
      toast.done('复制成功');
    } catch {
      toast.warn('浏览器不允许复制，请手动选择文字');
    }
  };
  return (
    <section className={styles['section']} aria-labelledby="member-invite">
      <h2 id="member-invite">邀请好友</h2>
      {running ? (
        <div className={styles['link']}>
          <Input readOnly value={link} aria-label="邀请链接" onFocus={(event) => event.target.select()} />
          <Button type="primary" icon={<CopyOutlined aria-hidden />} onClick={() => void copy()}>
            复制链接
          </Button>
        </div>
      ) : (
        <p className={styles['rules']}>邀请奖励暂未开放，已得的天数不受影响。</p>
      )}
      <dl className={styles['facts']}>
        <dt>已邀请</dt>
        <dd>{count} 人</dd>
        <dt>获得会员</dt>
        <dd>{ticket.total_days} 天</dd>
      </dl>
      {rules
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => (
          <p key={line} className={styles['rules']}>
            {line.replace(/^[-*#\s]+/, '')}
          </p>
        ))}
      {records.length > 0 ? (
        <ul className={styles['rows']}>
          {records.map((record) => (
            <li key={`${record.masked}${record.at}`}>
              <b>{record.masked}</b>
              <span>{STATES[record.state]}</span>
              <span className={styles['quiet']}>
                {formatDay(record.at)}
                {record.days > 0 ? `，${record.days} 天` : ''}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
