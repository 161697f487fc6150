/** One sentence a non-statistician understands, then at most four key figures. */
import type { LeadElement } from '@hengxi/contracts/contract';

import { Sentence } from '../words.tsx';
import styles from './lead.module.css';

export function Lead({ element }: { element: LeadElement }) {
  return (
    <div className={styles['lead']}>
      <p className={styles['conclusion']}>
        <Sentence text={element.text} facts={element.facts} />
      </p>
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
