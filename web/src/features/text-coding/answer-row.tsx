/** One answer: what was said, how often, its codes, and the suggestions nobody has decided on. */
import { CheckOutlined, CloseOutlined } from '@ant-design/icons';
import type { Answer, Code } from '@hengxi/server/answer-coding/schema';
import { Checkbox } from 'antd';
import { memo, type ReactNode } from 'react';

import styles from './coding.module.css';

export interface RowActs {
  focus: (index: number) => void;
  pick: (answer: Answer, isPicked: boolean) => void;
  give: (answer: Answer, code: number) => void;
  take: (answer: Answer, code: number) => void;
}

interface AnswerRowProps {
  answer: Answer;
  isFocused: boolean;
  isPicked: boolean;
  query: string;
  book: ReadonlyMap<number, Code>;
  acts: RowActs;
}

export const AnswerRow = memo(function AnswerRow(props: AnswerRowProps) {
  const { answer, isFocused, isPicked, query, book, acts } = props;
  const name = (id: number): string => book.get(id)?.name ?? '';
  return (
    <div
      className={styles['answer']}
      data-focused={isFocused || undefined}
      data-coded={answer.codes.length > 0 || undefined}
      aria-current={isFocused || undefined}
    >
      <Checkbox
        checked={isPicked}
        aria-label={`选中第 ${answer.first_row} 行的回答`}
        onChange={(event) => acts.pick(answer, event.target.checked)}
      />
      <div className={styles['said']}>
        <p>{marked(answer.text, query)}</p>
        <div className={styles['chips']}>
          {answer.codes.map((code) => (
            <span key={code} className={styles['chip']} data-kind={book.get(code)?.kind}>
              {name(code)}
              <button type="button" aria-label={`去掉${name(code)}`} onClick={() => acts.take(answer, code)}>
                <CloseOutlined aria-hidden />
              </button>
            </span>
          ))}
          {answer.suggested.map(({ code, p }) => (
            <span key={code} className={styles['maybe']}>
              <button
                type="button"
                aria-label={`接受建议${name(code)}`}
                title={p === 1 ? '按词语建议，点一下接受' : `概率 ${p.toFixed(2)}，点一下接受`}
                onClick={() => acts.give(answer, code)}
              >
                <CheckOutlined aria-hidden /> {name(code)}
                {p < 1 ? <small>{p.toFixed(2)}</small> : null}
              </button>
              <button type="button" aria-label={`否决建议${name(code)}`} onClick={() => acts.take(answer, code)}>
                <CloseOutlined aria-hidden />
              </button>
            </span>
          ))}
        </div>
      </div>
      <span className={styles['times']} title={answer.rows > 1 ? '相同的回答一起编码' : undefined}>
        {answer.rows > 1
          ? `${answer.rows.toLocaleString('en-US')} 行`
          : `第 ${answer.first_row.toLocaleString('en-US')} 行`}
      </span>
    </div>
  );
});

/** What was looked for, marked. */
function marked(text: string, query: string): ReactNode {
  if (query === '') return text;
  const parts: ReactNode[] = [];
  const lower = text.toLowerCase();
  const wanted = query.toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0 && parts.length < 40; at = lower.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + wanted.length)}</mark>);
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}
