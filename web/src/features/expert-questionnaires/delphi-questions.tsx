/** The items of a Delphi round: a score each, a reason where one wants, and from round 2 what the others said. */
import type { AnswerPage, FeedbackCard, Item } from '@hengxi/server/expert-questionnaires/schema';
import { Input } from 'antd';
import type { KeyboardEvent } from 'react';

import styles from './answer.module.css';
import type { Sheet } from './use-sheet.ts';
import { ASKS } from './words.ts';

export function DelphiQuestions({ page, sheet }: { page: AnswerPage; sheet: Sheet }) {
  const { items, protocol } = page;
  const askedFor = ASKS[protocol.asks];
  return (
    <>
      <p className={styles['hint']}>
        {askedFor.how}：1 为很不{askedFor.word}，{protocol.scale_max} 为很{askedFor.word}
        。不了解的指标请选“不属于我的领域”。
      </p>
      {items.map((item, at) => (
        <ItemQuestion
          key={item.id}
          item={item}
          heading={item.dimension !== '' && item.dimension !== items[at - 1]?.dimension ? item.dimension : null}
          number={at + 1}
          page={page}
          sheet={sheet}
        />
      ))}
    </>
  );
}

interface ItemProps {
  item: Item;
  heading: string | null;
  number: number;
  page: AnswerPage;
  sheet: Sheet;
}

function ItemQuestion({ item, heading, number, page, sheet }: ItemProps) {
  const key = `item:${item.id}`;
  const value = sheet.values[key];
  const comment = sheet.values[`comment:${item.id}`];
  const card = page.feedback.find((one) => one.item === item.id);
  const scores = Array.from({ length: page.protocol.scale_max }, (_, at) => at + 1);
  /** 1 to 9 score the question one is in. */
  const byDigit = (event: KeyboardEvent<HTMLInputElement>): void => {
    const score = Number(event.key);
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (/^[1-9]$/u.test(event.key) && score <= page.protocol.scale_max) sheet.set(key, score);
  };
  return (
    <>
      {heading === null ? null : <h2 className={styles['dimension']}>{heading}</h2>}
      <fieldset className={styles['question']} id={key}>
        <legend>
          {number}. {item.text}
        </legend>
        {item.note === '' ? null : <p className={styles['hint']}>{item.note}</p>}
        {card === undefined ? null : <Feedback card={card} before={page.before[key]} />}
        <div className={styles['scores']}>
          {scores.map((score) => (
            <label key={score} className={styles['score']}>
              <input
                type="radio"
                name={key}
                checked={value === score}
                onChange={() => sheet.set(key, score)}
                onKeyDown={byDigit}
              />
              <span>{score}</span>
            </label>
          ))}
        </div>
        <label className={styles['skip']}>
          <input
            type="radio"
            name={key}
            checked={value === null}
            onChange={() => sheet.set(key, null)}
            onKeyDown={byDigit}
          />
          <span>不属于我的领域</span>
        </label>
        <Input.TextArea
          aria-label={`对“${item.text}”的意见（选填）`}
          placeholder="理由或修改意见（选填）"
          autoSize={{ minRows: 1, maxRows: 6 }}
          maxLength={1000}
          value={typeof comment === 'string' ? comment : ''}
          onChange={(event) => sheet.set(`comment:${item.id}`, event.target.value)}
        />
      </fieldset>
    </>
  );
}

/** How the others scored last time, the own score among them. */
function Feedback({ card, before }: { card: FeedbackCard; before: unknown }) {
  const own = typeof before === 'number' ? before : null;
  if (card.counts.length === 0) return <p className={styles['card']}>上一轮评分的专家太少，为保护匿名不显示结果。</p>;
  const most = Math.max(1, ...card.counts);
  return (
    <div className={styles['card']}>
      <p>
        上一轮 {card.n} 位专家：中位数 {card.median}，一半人在 {card.q1} 到 {card.q3} 之间
        {own === null ? '；您上一轮没有打分。' : `；您打了 ${own} 分。`}
      </p>
      <ul className={styles['bars']} aria-hidden>
        {card.counts.map((n, at) => (
          <li key={at} data-own={own === at + 1 ? '' : undefined}>
            <span>{n}</span>
            <i style={{ height: `${(n / most) * 32}px` }} />
            <span>{at + 1}</span>
          </li>
        ))}
      </ul>
      {(card.comments ?? []).length > 0 ? (
        <>
          <p>专家的意见（匿名）：</p>
          <ul className={styles['comments']}>
            {card.comments?.map((comment) => (
              <li key={comment}>{comment}</li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}
