/** If–then rules, each with how many rows it covers and how sure it is. */
import type { RulesElement } from '@hengxi/contracts/contract';
import { integer, percent } from '@hengxi/contracts/format';
import { conditionsOf } from '@hengxi/contracts/report/rule-text';

import styles from './rules.module.css';

export interface RulesProps {
  element: RulesElement;
  /** Names of columns by id. */
  names: ReadonlyMap<string, string>;
}

export function Rules({ element, names }: RulesProps) {
  return (
    <section className={styles['rules']} aria-label={element.title} data-block={element.id}>
      <h3>
        {element.title}
        {element.at === null ? '' : `：${element.at}`}
      </h3>
      <ol>
        {element.rules.map((rule, i) => (
          <li key={`${i}`}>
            <span>
              如果{' '}
              {conditionsOf(rule, names).map((test, k) => (
                <span key={`${k}`}>
                  {k > 0 ? <b> 且 </b> : null}
                  {test}
                </span>
              ))}
              ，则 <b>{rule.then}</b>
            </span>
            <span className={styles['share']}>
              {integer(rule.n)} 行，{percent(rule.share, 1)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
