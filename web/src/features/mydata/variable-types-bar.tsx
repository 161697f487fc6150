/** 变量构成: how many columns of which kind, as one short bar; the words are there for readers and on hover. */
import { Tooltip } from 'antd';

import { MEASURE_COLOUR, MEASURE_KINDS, MeasureIcon, type MeasureKind } from '../../ui/measure-icon.tsx';
import styles from './variable-types-bar.module.css';

/** The wire says 量表 for what the interface calls 量表题. */
function kindOf(wire: string): MeasureKind {
  if (wire === '量表') return '量表题';
  return MEASURE_KINDS.find((kind) => kind === wire) ?? '文本';
}

export function VariableTypesBar({ makeup }: { makeup: readonly { kind: string; count: number }[] }) {
  const parts = makeup.map(({ kind, count }) => ({ kind: kindOf(kind), count })).filter((part) => part.count > 0);
  const words = parts.map((part) => `${part.kind} ${part.count}`).join('，');
  return (
    <Tooltip title={words}>
      <span className={styles['bar']} role="img" aria-label={words}>
        {parts.map(({ kind, count }) => (
          <span
            key={kind}
            className={kind === '量表题' ? `${styles['part']} ${styles['outlined']}` : styles['part']}
            style={{ flexGrow: count, color: MEASURE_COLOUR[kind] }}
          />
        ))}
      </span>
    </Tooltip>
  );
}

export function VariableTypesLegend() {
  return (
    <p className={styles['legend']}>
      变量构成
      {MEASURE_KINDS.filter((kind) => kind !== '多选题集').map((kind) => (
        <span key={kind}>
          <MeasureIcon kind={kind} size={13} decorative /> {kind}
        </span>
      ))}
    </p>
  );
}
