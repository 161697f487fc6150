/** The left half of the sign-in dialog: the steelyard weighing a distribution. Pure ornament, hidden from readers. */
import { Logo } from '../../ui/logo.tsx';
import styles from './login-dialog.module.css';

const BARS = [10, 18, 28, 35, 28, 18, 10];

export function Decoration() {
  return (
    <div className={styles['left']}>
      <div className={styles['brand']}>
        <Logo size={28} />
        <span>衡析</span>
      </div>
      <svg viewBox="0 0 264 200" className={styles['art']} fill="none" aria-hidden="true">
        <circle cx="105" cy="16" r="8" stroke="#CFE0EC" strokeWidth="2" />
        <path d="M105 24v74" stroke="#CFE0EC" strokeWidth="2" />
        <path d="M20 118 258 63" stroke="#CFE0EC" strokeWidth="3" strokeLinecap="round" />
        <path d="M45 112 10 174M45 112l36 62" stroke="#CFE0EC" strokeWidth="1.6" />
        <path d="M0 174h92" stroke="#CFE0EC" strokeWidth="2" strokeLinecap="round" />
        {BARS.map((height, place) => (
          <rect key={place} x={17 + place * 8.4} y={173 - height} width="6.6" height={height} fill="#6A9DC3" />
        ))}
        <path d="M225 71v54" stroke="#CFE0EC" strokeWidth="1.4" />
        {Array.from({ length: 10 }, (_, place) => (
          <circle key={place} cx={118 + place * 12.4} cy={95.4 - place * 2.86} r="1.8" fill="#D6A566" />
        ))}
        <circle cx="225" cy="141" r="16" fill="#D6A566" />
      </svg>
      <div>
        <p className={styles['slogan']}>算得准，说得清</p>
        <p className={styles['under']}>登录后从上次停下的地方继续</p>
      </div>
    </div>
  );
}
