/** /enterprise/invite?code=: who invites into what; joining after a sign-in, with what it means for one's data. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { formatInstant } from '../../lib/format-size.ts';
import { prompts } from '../../lib/prompts.ts';
import { queryClient } from '../../lib/query-client.ts';
import { useSession } from '../../lib/session.ts';
import { SIGNED_IN } from '../../lib/sign-in.ts';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import styles from './enterprise.module.css';
import { inviteQuery, join } from './queries.ts';
import { ROLES } from './words.ts';

export function InvitePage() {
  const [params] = useSearchParams();
  const code = params.get('code') ?? '';
  const invite = useQuery(inviteQuery(code));
  const isSignedIn = useSession((state) => state.token !== null);
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  // Whoever signed in to join is asked to join, on this very page.
  useEffect(() => {
    const ask = () => setAsking(true);
    addEventListener(SIGNED_IN, ask);
    return () => removeEventListener(SIGNED_IN, ask);
  }, []);
  const accept = useMutation({
    mutationFn: () => join(code),
    onSuccess: async ({ enterprise_name: name }) => {
      await queryClient.invalidateQueries({ queryKey: ['enterprises'] });
      toast.done(`已加入“${name}”，可在个人中心切换到企业版`);
      await navigate('/enterprise?all=1');
    },
    onError: () => setAsking(false),
  });
  if (invite.isPending)
    return (
      <div className={styles['narrow']}>
        <ListSkeleton rows={3} />
      </div>
    );
  if (invite.isLoadingError)
    return (
      <div className={styles['narrow']}>
        <EmptyState
          art
          heading
          title="无法打开邀请"
          hint={errorText(invite.error)}
          actions={<Button onClick={() => void navigate('/')}>回到首页</Button>}
        />
      </div>
    );
  const { enterprise_name: name, inviter, role, ends_at: end } = invite.data;
  return (
    <div className={styles['narrow']}>
      <div className={styles['sheet']}>
        <h1>{name}</h1>
        <p>{inviter} 邀请您加入企业。</p>
        <dl className={styles['facts']}>
          <dt>角色</dt>
          <dd>{ROLES[role]}</dd>
          <dt>有效至</dt>
          <dd>{formatInstant(end)}</dd>
        </dl>
        <div className={styles['acts']}>
          <Button
            type="primary"
            onClick={() => (isSignedIn ? setAsking(true) : prompts.openLogin('enterprise-invite'))}
          >
            {isSignedIn ? '加入企业' : '登录并加入企业'}
          </Button>
        </div>
        <p className={styles['quiet']}>接受邀请后才占用席位；邀请只对收到它的人有效，请勿转发。</p>
      </div>
      <ConfirmDialog
        open={isAsking}
        title="加入企业"
        text={`加入“${name}”后，您在企业空间创建的数据归企业所有，个人空间的数据不受影响。`}
        act="加入"
        working={accept.isPending}
        onAct={() => accept.mutate()}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
