/** 前提检验: one line a check, shape and word and colour; each opens 是什么 / 你的数据 / 影响多大 / 怎么办. */
import { DownOutlined, RightOutlined } from '@ant-design/icons';
import type { CheckElement } from '@hengxi/contracts/contract';
import { Button } from 'antd';
import { useId, useState } from 'react';

import { CheckMark, checkWord } from '../../ui/check-mark.tsx';
import { useReport } from '../context.ts';
import { Sentence } from '../words.tsx';
import styles from './checks.module.css';

export function Checks({ list }: { list: readonly CheckElement[] }) {
  return (
    <ul className={styles['list']}>
      {list.map((check) => (
        <Check key={check.id} check={check} />
      ))}
    </ul>
  );
}

/** How many of each state: what the heading says before anybody reads the lines. */
export function CheckCounts({ list }: { list: readonly CheckElement[] }) {
  const states = (['fail', 'care', 'pass', 'unknown'] as const).map((state) => ({
    state,
    n: list.filter((c) => c.state === state).length,
  }));
  return (
    <span className={styles['counts']}>
      {states.map(({ state, n }) =>
        n === 0 ? null : (
          <span key={state}>
            <CheckMark state={state} decorative /> {n} 项{checkWord(state)}
          </span>
        ),
      )}
    </span>
  );
}

const PARTS = [
  ['what', '是什么'],
  ['data', '你的数据'],
  ['impact', '影响多大'],
  ['todo', '怎么办'],
] as const;

function Check({ check }: { check: CheckElement }) {
  const { onRemedy } = useReport();
  const [open, setOpen] = useState(false);
  const id = useId();
  const { more } = check;
  const remedies = onRemedy === undefined ? [] : check.remedies;
  return (
    <li className={styles['item']}>
      <div className={styles['row']}>
        <CheckMark state={check.state} size={13} decorative />
        <b className={styles['title']}>
          {check.title}
          {check.at === null ? null : <span className={styles['at']}> {check.at}</span>}
        </b>
        <span className={`${styles['tag']} ${styles[check.state]}`}>{checkWord(check.state)}</span>
        <span className={styles['text']}>
          <Sentence text={check.text} facts={check.facts} />
        </span>
        {more === null && remedies.length === 0 ? null : (
          <button
            type="button"
            className={`hx-link ${styles['open']}`}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            详情<span className="hx-hidden">：{check.title}</span>{' '}
            {open ? <DownOutlined aria-hidden /> : <RightOutlined aria-hidden />}
          </button>
        )}
      </div>
      <div id={id} hidden={!open} className={styles['more']}>
        {more === null ? null : (
          <dl className={styles['parts']}>
            {PARTS.map(([key, title]) =>
              more[key] === '' ? null : (
                <div key={key}>
                  <dt>{title}</dt>
                  <dd>
                    <Sentence text={more[key]} facts={check.facts} />
                  </dd>
                </div>
              ),
            )}
          </dl>
        )}
        {remedies.length === 0 ? null : (
          <div className={styles['remedies']}>
            {remedies.map((remedy) => (
              <Button key={remedy.title} size="small" onClick={() => onRemedy?.(remedy)}>
                {remedy.title}
              </Button>
            ))}
          </div>
        )}
      </div>
    </li>
  );
}
