/** What a lifetime member gets to see: a seal with the steelyard in it. */
import { SteelyardArt } from '../../../ui/logo.tsx';
import styles from './purchase.module.css';

export function LifetimeSeal() {
  return (
    <div className={styles['seal']} role="img" aria-label="长期会员">
      <SteelyardArt width={72} />
      <span aria-hidden="true">长期会员</span>
    </div>
  );
}
