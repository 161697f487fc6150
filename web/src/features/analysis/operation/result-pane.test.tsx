import type { Declaration } from '@hengxi/contracts/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';

import { ResultPane } from './result-pane.tsx';
import type { Machine } from './run-state.ts';
import { START, step } from './run-state.ts';

const nothing = (): void => undefined;

function show(machine: Machine): string {
  const declaration = {
    path: 'g/two',
    title: '甲法',
    needs: '1 个定类变量',
    needs_data: true,
  } as unknown as Declaration;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <ResultPane
          declaration={declaration}
          machine={machine}
          vid={1}
          reportUrl={null}
          onRun={nothing}
          onFreeze={nothing}
          onRemedy={nothing}
          isLocked={false}
          verified={{ cases: 0, sources: [] }}
        />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return document.body.textContent ?? '';
}

const judged = (code: string, text: string): Machine =>
  step(START, {
    type: 'judged',
    draft: { key: 'a', fields: [{ field: 'y', code, text }], seconds: 0.2, resolved: {} },
  });

test('what is only missing is said at its box and not again beside it', () => {
  const text = show(judged('role.required', '请在“Y”放入变量'));
  screen.getByText('放好变量后，结果会出现在这里');
  expect(text).not.toContain('请在“Y”放入变量');
  expect(text).not.toContain('需要');
});

test('what is wrong is said in the line above as well', () => {
  expect(show(judged('role.measure', '“意见”是文本'))).toContain('“意见”是文本');
});
