/** A list of which several may be chosen. Tab leaves it: by itself it would take the choice just made away again. */
import { Select, type SelectProps } from 'antd';

import styles from './many-select.module.css';

export type ManySelectProps<V extends string | number> = Omit<SelectProps<V[]>, 'mode'>;

export function ManySelect<V extends string | number = string>(props: ManySelectProps<V>) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only keeps a key from the list inside
    <span
      className={styles['whole']}
      onKeyDownCapture={(event) => {
        if (event.key === 'Tab') event.stopPropagation();
      }}
    >
      <Select<V[]> {...props} mode="multiple" />
    </span>
  );
}
