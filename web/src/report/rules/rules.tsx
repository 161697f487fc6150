/** If–then rules, each with how many rows it covers and how sure it is. */
import type { RulesElement, Value } from '@hengxi/contracts/contract';
import { integer, percent, text } from '@hengxi/contracts/format';

import styles from './rules.module.css';

const SIGNS: Record<string, string> = { '<=': '≤', '>=': '≥', '!=': '≠', '==': '=', in: '属于', 'not in': '不属于' };

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
              {rule.when.map((test, k) => (
                <span key={`${k}`}>
                  {k > 0 ? <b> 且 </b> : null}
                  {condition(test, names)}
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

function condition(
  test: readonly [string, string, Value] | readonly (string | Value)[],
  names: ReadonlyMap<string, string>,
): string {
  const [column, sign, value] = test;
  return `${names.get(String(column)) ?? String(column)} ${SIGNS[String(sign)] ?? String(sign)} ${text(value)}`;
}
