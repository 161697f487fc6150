import type { MethodRow } from '@hengxi/server/analysis/schema';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { SURVEY } from '../../../fields/testing/harness.tsx';
import { recommendQuery } from '../queries.ts';
import { Recommend } from './recommend.tsx';

const METHODS = ['甲法', '乙法'].map((title) => ({
  title,
  algo_code: `made_up/${title}`,
  purpose: '',
  needs: '',
})) as unknown as MethodRow[];

function show(ids: string[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(recommendQuery(7, ids).queryKey, [{ path: 'made_up/乙法', why: '两组比较' }]);
  render(
    <QueryClientProvider client={client}>
      <Recommend
        vid={7}
        columns={SURVEY}
        picked={SURVEY.filter(({ id }) => ids.includes(id))}
        methods={METHODS}
        suiting={METHODS}
        chosen={null}
        onPick={() => undefined}
        onChoose={() => undefined}
        onStart={() => undefined}
      />
    </QueryClientProvider>,
  );
  return screen.getByRole('region', { name: '按变量推荐' });
}

test('variables chosen make a ranking: places and a first choice', () => {
  const section = show(['c1']);
  expect(section.querySelector('ol')?.textContent).toMatch(/^1乙法首选/);
});

test('without variables there is no ranking', () => {
  const section = show([]);
  expect(section.querySelector('ol')).toBeNull();
  within(section).getByText(/选好变量后才有推荐/);
  expect(section.querySelector('ul')?.textContent).toMatch(/^甲法/);
});
