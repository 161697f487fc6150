/** A method of the member edition, for who is no member: what it is, and both ways to it, side by side. */
import { Button } from 'antd';

import { prompts } from '../../lib/prompts.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './locked-method.module.css';

interface LockedProps {
  path: string;
  title: string;
}

function Ways({ path, title }: LockedProps) {
  return (
    <>
      <Button onClick={() => prompts.openPurchase()}>升级会员</Button>
      <Button onClick={() => prompts.openUnlock({ path, title })}>用积分解锁</Button>
    </>
  );
}

/** In place of a result. */
export function LockedMethod(props: LockedProps) {
  return (
    <EmptyState
      title={`“${props.title}”是会员方法`}
      hint="会员可以使用全部高级方法，也可以用积分只解锁这一个。变量和设置都会保留。"
      actions={<Ways {...props} />}
    />
  );
}

/** Where something else stands already: the card of the method, an earlier result. */
export function LockedLine(props: LockedProps) {
  return (
    <div className={styles['line']}>
      <p>“{props.title}”是会员方法，会员或用积分解锁后可以运行。</p>
      <div className={styles['ways']}>
        <Ways {...props} />
      </div>
    </div>
  );
}
