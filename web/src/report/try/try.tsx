/** 代入新值: the cases a saved model was asked about at the start. Asking again needs the form. */
import type { TryElement } from '@hengxi/contracts/contract';
import { text } from '@hengxi/contracts/format';

import styles from '../line.module.css';

export interface TryProps {
  element: TryElement;
  names: ReadonlyMap<string, string>;
}

export function Try({ element, names }: TryProps) {
  return (
    <div className={styles['line']} data-block={element.id}>
      <b>{element.title}</b>
      <ul className={styles['text']}>
        {element.start.map((given, i) => (
          <li key={`${i}`}>
            {Object.entries(given)
              .map(([column, value]) => `${names.get(column) ?? column} = ${text(value)}`)
              .join('，')}
          </li>
        ))}
      </ul>
    </div>
  );
}
