import type { MethodRow } from '@hengxi/server/analysis/schema';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';

import { MethodSearch } from './method-search.tsx';

const METHODS = ['甲法', '乙法'].map((title) => ({
  title,
  algo_code: `made_up/${title}`,
  title_en: '',
  family: '',
  purpose: '',
  aliases: [],
  questions: [],
  roles: [],
  takes_model: false,
  condition_field: null,
})) as unknown as MethodRow[];

test('Enter chooses the method found, once more starts it', () => {
  const done: string[] = [];
  function Index() {
    const [chosen, setChosen] = useState<string | null>(null);
    return (
      <MethodSearch
        methods={METHODS}
        chosen={chosen}
        query="乙法"
        hasData
        onQuery={() => undefined}
        onChoose={(path) => {
          done.push(`选 ${path}`);
          setChosen(path);
        }}
        onStart={(path) => done.push(`开始 ${path}`)}
      />
    );
  }
  render(<Index />);
  const field = screen.getByRole('combobox', { name: '搜索方法' });
  fireEvent.keyDown(field, { key: 'Enter' });
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(done).toEqual(['选 made_up/乙法', '开始 made_up/乙法']);
});

test('a method that is not there yet is said to be so, and its nearest neighbour opens with the data', () => {
  const line = { ...METHODS[0]!, title: '线性回归', algo_code: 'made_up/line' };
  const done: string[] = [];
  const search = (hasData: boolean) => (
    <MethodSearch
      methods={[...METHODS, line]}
      chosen={null}
      query="中介效应"
      hasData={hasData}
      onQuery={() => undefined}
      onChoose={(path) => done.push(`选 ${path}`)}
      onStart={(path) => done.push(`开始 ${path}`)}
    />
  );
  const { rerender } = render(search(true));
  screen.getByText(/中介效应分析还没有上线/);
  fireEvent.click(screen.getByRole('button', { name: /线性回归/ }));
  rerender(search(false));
  fireEvent.click(screen.getByRole('button', { name: /线性回归/ }));
  expect(done).toEqual(['开始 made_up/line', '选 made_up/line']);
});
