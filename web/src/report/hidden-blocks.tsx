/** Nothing disappears unsaid: how many blocks the reader put away, and the way back. */
import { useReport } from './context.ts';
import styles from './report-view.module.css';

export function HiddenBlocks() {
  const { presentation, readonly } = useReport();
  const { hidden } = presentation.value;
  if (hidden.length === 0 || readonly) return null;
  return (
    <p className={styles['hidden']}>
      已隐藏 {hidden.length} 块
      <button
        type="button"
        className="hx-link"
        onClick={() => presentation.change({ ...presentation.value, hidden: [] })}
      >
        全部显示
      </button>
    </p>
  );
}
