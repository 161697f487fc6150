import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';

import { prompts, usePrompts } from '../../../lib/prompts.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { serve } from '../../../report/testing/server.tsx';
import { Palette } from './palette.tsx';

function Page() {
  const open = usePrompts((state) => state.palette);
  return (
    <>
      <button type="button">运行</button>
      {open ? <Palette /> : null}
    </>
  );
}

test('Esc closes the palette and the focus is where it was', () => {
  serve({});
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Page />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const button = screen.getByRole('button', { name: '运行' });
  act(() => button.focus());
  act(() => prompts.openPalette());
  const field = screen.getByRole('combobox');
  act(() => field.focus());
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(document.activeElement).toBe(button);
});
