/** /enterprise/transfer?code=: becoming the owner of an enterprise, with a fresh code, or declining. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useNavigate, useSearchParams } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { formatInstant } from '../../lib/format-size.ts';
import { queryClient } from '../../lib/query-client.ts';
import { withStepUp } from '../../lib/step-up.ts';
import { toast } from '../../lib/toast.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import styles from './enterprise.module.css';
import { answerTransfer, transferQuery } from './queries.ts';

export function TransferPage() {
  const [params] = useSearchParams();
  const code = params.get('code') ?? '';
  const transfer = useQuery(transferQuery(code));
  const navigate = useNavigate();
  const answer = useMutation({
    mutationFn: async (word: 'accept' | 'refuse') => {
      if (word === 'refuse') return answerTransfer(code, word).then(() => word);
      // null came back: the code was not given.
      let isDone = false;
      await withStepUp(async () => {
        await answerTransfer(code, word);
        isDone = true;
      });
      return isDone ? word : null;
    },
    onSuccess: async (word) => {
      if (word === null) return;
      await queryClient.invalidateQueries({ queryKey: ['enterprises'] });
      toast.done(word === 'accept' ? '您已成为企业所有者' : '已拒绝接任');
      await navigate(
        word === 'accept' && transfer.data ? `/enterprise/${transfer.data.enterprise_id}` : '/enterprise?all=1',
      );
    },
  });
  if (transfer.isPending)
    return (
      <div className={styles['narrow']}>
        <ListSkeleton rows={3} />
      </div>
    );
  if (transfer.isLoadingError)
    return (
      <div className={styles['narrow']}>
        <EmptyState
          art
          heading
          title="无法打开转让"
          hint={errorText(transfer.error)}
          actions={<Button onClick={() => void navigate('/enterprise')}>查看我的企业</Button>}
        />
      </div>
    );
  const { enterprise_name: name, from, to, is_mine: isMine, ends_at: end } = transfer.data;
  return (
    <div className={styles['narrow']}>
      <div className={styles['sheet']}>
        <h1>接任企业所有者</h1>
        <dl className={styles['facts']}>
          <dt>企业</dt>
          <dd>{name}</dd>
          <dt>现所有者</dt>
          <dd>{from}（转让后为管理员）</dd>
          <dt>接任人</dt>
          <dd>{to}</dd>
          <dt>有效至</dt>
          <dd>{formatInstant(end)}</dd>
        </dl>
        <p className={styles['quiet']}>
          所有者负责席位、订单、合同和解散，并任命管理员。企业的数据和成员不变。接受时需要验证手机验证码。
        </p>
        {isMine ? (
          <div className={styles['acts']}>
            <Button type="primary" loading={answer.isPending} onClick={() => answer.mutate('accept')}>
              接受
            </Button>
            <Button disabled={answer.isPending} onClick={() => answer.mutate('refuse')}>
              拒绝
            </Button>
          </div>
        ) : (
          <p>正在等待 {to} 处理。</p>
        )}
      </div>
    </div>
  );
}
