/** One sentence a non-statistician understands, then at most four key figures. */
import type { LeadElement } from '@hengxi/contracts/contract';

import { Sentence } from '../words.tsx';
import styles from './lead.module.css';

/** So many lines are a list under the first, not one conclusion. */
const LINES = 4;

export function Lead({ element }: { element: LeadElement }) {
  const [first = '', ...rest] = element.text.split('\n');
  const isList = rest.length + 1 >= LINES;
  return (
    <div className={styles['lead']}>
      <p className={styles['conclusion']}>
        <Sentence text={isList ? first : element.text} facts={element.facts} />
      </p>
      {isList ? (
        <ul className={styles['lines']}>
          {rest.map((line) => (
            <li key={line}>
              <Sentence text={line} facts={element.facts} />
            </li>
          ))}
        </ul>
      ) : null}
      {element.figures.length > 0 ? (
        <dl className={styles['figures']}>
          {element.figures.map((figure) => (
            <div key={figure.title} className={styles['figure']}>
              <dt>
                <Sentence text={figure.title} facts={element.facts} />
              </dt>
              <dd>
                <strong>
                  <Sentence text={figure.value} facts={element.facts} />
                </strong>
                {figure.note === null ? null : (
                  <span className={styles['note']}>
                    <Sentence text={figure.note} facts={element.facts} />
                  </span>
                )}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </div>
  );
}
