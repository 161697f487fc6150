/** 意见反馈 of the account menu: telling us something, and what became of it. */
import { Segmented } from 'antd';
import { useState } from 'react';

import { useMe } from '../../../lib/me.ts';
import { useSession } from '../../../lib/session.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import styles from './feedback.module.css';
import { FeedbackForm } from './feedback-form.tsx';
import { FeedbackHistory } from './feedback-history.tsx';

type Side = 'write' | 'mine';

export function FeedbackDialog({ onClose }: { onClose: () => void }) {
  const me = useMe();
  const isVisitor = useSession((state) => state.token === null);
  const [side, setSide] = useState<Side>('write');
  return (
    <Dialog open title="意见反馈" width="choose" outsideCloses={false} onClose={onClose}>
      {me?.demo ? (
        <p>演示账号由大家共用，不能提交反馈。请登录自己的账号。</p>
      ) : isVisitor ? (
        <FeedbackForm onSent={onClose} />
      ) : (
        <div className={styles['page']}>
          <Segmented<Side>
            aria-label="意见反馈"
            options={[
              { value: 'write', label: '写反馈' },
              { value: 'mine', label: '我的反馈' },
            ]}
            value={side}
            onChange={setSide}
          />
          {/* What was written stays when one looks at the other side. */}
          <div hidden={side !== 'write'}>
            <FeedbackForm onSent={() => setSide('mine')} />
          </div>
          {side === 'mine' ? <FeedbackHistory /> : null}
        </div>
      )}
    </Dialog>
  );
}
