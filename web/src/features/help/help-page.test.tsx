import type { HelpPage as HelpData } from '@hengxi/server/help/schema';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router';
import { expect, test, vi } from 'vitest';

import { HelpPage } from './help-page.tsx';
import { helpQuery } from './queries.ts';

const PAGE: HelpData = {
  slug: 'two-groups',
  path: 'g/two_groups',
  title: '两组比较',
  title_en: 'Two groups',
  family: '差异性分析',
  tier: 'standard',
  purpose: '比较两组',
  needs: '',
  version: 1,
  record: { doc_link: null, video_link: null, iframe_video_link: null, display_name: '两组比较', example_data: null },
  text: '## 用途\n一\n## 结果解读\n二\n',
  declaration: {},
  oracle: { cases: 0, sources: [], list: [] },
};

test('who comes for a section of a help page is taken there', () => {
  const reached: string[] = [];
  const own = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollIntoView');
  Element.prototype.scrollIntoView = vi.fn<(this: Element) => void>(function (this: Element) {
    reached.push(this.id);
  });
  const client = new QueryClient();
  client.setQueryData(helpQuery('two-groups').queryKey, PAGE);
  for (const hash of ['#结果解读', `#${encodeURIComponent('结果解读')}`, '#没有', '']) {
    render(
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={[`/help/two-groups/${hash}`]}>
          <Routes>
            <Route path="/help/:slug/" element={<HelpPage />} />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>,
    );
    cleanup();
  }
  if (own === undefined) Reflect.deleteProperty(Element.prototype, 'scrollIntoView');
  else Object.defineProperty(Element.prototype, 'scrollIntoView', own);
  expect(reached).toEqual(['结果解读', '结果解读']);
});
