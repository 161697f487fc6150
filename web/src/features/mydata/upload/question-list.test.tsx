import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';

import { QuestionList } from './question-list.tsx';
import type { Question } from './questions.ts';

const ask = (id: string, kind: string, keys: readonly string[]): Question => ({
  id,
  name: `列${id}`,
  kind,
  count: 2,
  samples: [{ row: 1, value: '1,234' }],
  choices: [...keys, 'text'].map((key) => ({ key, title: `读法 ${key}`, preview: [] })),
});

const NUMBERS = [ask('c1', 'thousands', ['thousands', 'comma_decimal']), ask('c2', 'date', ['missing'])];

function show(questions: readonly Question[]) {
  const onAnswer = vi.fn<(answers: Record<string, string>) => void>();
  render(<QuestionList questions={questions} onAnswer={onAnswer} onCancel={() => undefined} />);
  return onAnswer;
}

afterEach(cleanup);

it('takes the advice for all columns at once', async () => {
  const onAnswer = show(NUMBERS);
  await userEvent.click(screen.getByRole('button', { name: '全部按建议' }));
  expect(onAnswer).toHaveBeenCalledWith({ c1: 'thousands', c2: 'missing' });
});

it('leaves what was chosen already', async () => {
  const onAnswer = show(NUMBERS);
  await userEvent.click(screen.getByRole('radio', { name: /读法 comma_decimal/ }));
  await userEvent.click(screen.getByRole('button', { name: '其余按建议' }));
  expect(onAnswer).toHaveBeenCalledWith({ c1: 'comma_decimal', c2: 'missing' });
});

it('advises nothing where day and month cannot be told apart, and waits for that answer', async () => {
  const onAnswer = show([...NUMBERS, ask('c3', 'order', ['mdy', 'dmy'])]);
  await userEvent.click(screen.getByRole('button', { name: '全部按建议' }));
  expect(onAnswer).not.toHaveBeenCalled();
  expect(screen.getByText('还有 1 处没有选')).toBeDefined();
  await userEvent.click(screen.getByRole('radio', { name: /读法 dmy/ }));
  await userEvent.click(screen.getByRole('button', { name: '继续导入' }));
  expect(onAnswer).toHaveBeenCalledWith({ c1: 'thousands', c2: 'missing', c3: 'dmy' });
});
