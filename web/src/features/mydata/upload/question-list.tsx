/** Columns that can be read in more than one way: each waits for a click, with before and after side by side. */
import type { RadioChangeEvent } from 'antd';
import { Button, Radio } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';

import { formatCount } from '../../../lib/format-size.ts';
import { CheckMark } from '../../../ui/check-mark.tsx';
import styles from './question-list.module.css';
import { adviceOf, type Choice, type Question } from './questions.ts';

interface QuestionListProps {
  questions: readonly Question[];
  onAnswer: (answers: Record<string, string>) => void;
  onCancel: () => void;
}

export function QuestionList({ questions, onAnswer, onCancel }: QuestionListProps) {
  const [answers, setAnswers] = useState<Record<string, string>>({});
  const open = questions.filter((question) => answers[question.id] === undefined).length;
  const allText = () => Object.fromEntries(questions.map((question) => [question.id, 'text']));
  const takeAdvice = () => {
    const taken = { ...answers };
    for (const question of questions) {
      const advice = adviceOf(question);
      if (advice !== null) taken[question.id] ??= advice;
    }
    if (questions.every((one) => taken[one.id] !== undefined)) onAnswer(taken);
    else setAnswers(taken);
  };
  const title = useRef<HTMLHeadingElement>(null);
  // The import stopped for this: on a small screen it stands above what is in sight.
  useEffect(() => {
    title.current?.focus({ preventScroll: true });
    title.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section className={styles['box']} aria-label="要确认的列">
      <h2 ref={title} tabIndex={-1} className={styles['title']}>
        <CheckMark state="care" decorative /> 有 {questions.length} 处要你决定，选好后继续导入
      </h2>
      {questions.map((question) => (
        <QuestionItem
          key={question.id}
          question={question}
          answer={answers[question.id]}
          onAnswer={(key) => setAnswers((old) => ({ ...old, [question.id]: key }))}
        />
      ))}
      <div className={styles['foot']}>
        <span>{open > 0 ? `还有 ${open} 处没有选` : '都选好了'}</span>
        <Button onClick={onCancel}>取消导入</Button>
        <Button onClick={() => onAnswer({ ...allText(), ...answers })}>其余保留文字</Button>
        <Button onClick={takeAdvice}>{open < questions.length ? '其余按建议' : '全部按建议'}</Button>
        <Button type="primary" disabled={open > 0} onClick={() => onAnswer(answers)}>
          继续导入
        </Button>
      </div>
    </section>
  );
}

/** What is doubtful about the cells, by kind; all others are numbers written in an unusual way. */
const TROUBLE: Record<string, string> = { date: '不是日期', order: '看不出月和日谁在前' };

interface QuestionItemProps {
  question: Question;
  answer: string | undefined;
  onAnswer: (key: string) => void;
}

function QuestionItem({ question, answer, onAnswer }: QuestionItemProps) {
  const id = useId();
  const choose = (event: RadioChangeEvent) => {
    const value: unknown = event.target.value;
    if (typeof value === 'string') onAnswer(value);
  };
  return (
    <div className={styles['question']}>
      {question.kind === 'scale' ? (
        <p id={id}>
          <b>“{question.name}”</b>
          {question.count > 1 ? `等 ${formatCount(question.count)} 题` : ''}的答案是文字（{question.title}
          ）。计分后才能算平均分、做信度和回归，原来的文字留作标签
        </p>
      ) : question.kind === 'joined' ? (
        <p id={id}>
          <b>“{question.name}”</b> 有 {formatCount(question.count)} 个单元格像是选了几项的多选答案
        </p>
      ) : (
        <p id={id}>
          <b>“{question.name}”</b> 有 {formatCount(question.count)} 个单元格
          {TROUBLE[question.kind] ?? '不能直接当数字'}，例如第{' '}
          {question.samples
            .map((sample) => sample.row)
            .slice(0, 3)
            .join('、')}{' '}
          行
        </p>
      )}
      <Radio.Group aria-labelledby={id} className={styles['choices']} value={answer} onChange={choose}>
        {question.choices.map((choice) => (
          <Radio key={choice.key} value={choice.key}>
            {choice.title}
            {choice.key === adviceOf(question) ? <span className={styles['advice']}>建议</span> : null}
            <Sample choice={choice} most={question.kind === 'scale' ? SCALE_SHOWN : SHOWN} />
          </Radio>
        ))}
      </Radio.Group>
    </div>
  );
}

const SHOWN = 3;
/** The order of a scale is judged from all its words. */
const SCALE_SHOWN = 12;

function Sample({ choice, most }: { choice: Choice; most: number }) {
  return (
    <span className={styles['samples']}>
      {choice.preview.slice(0, most).map((pair, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- the same text may occur twice
        <span key={place}>
          {pair.before} → <b>{pair.after === null ? '缺失' : String(pair.after)}</b>
        </span>
      ))}
    </span>
  );
}
