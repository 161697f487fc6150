import { act, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { useHeadingFocus } from './heading-focus.ts';

function Site({ path, ready = true }: { path: string; ready?: boolean }) {
  useHeadingFocus(path);
  return (
    <>
      {ready ? <h1>{path}</h1> : null}
      <button key={path}>{path} 的按钮</button>
    </>
  );
}

test('the heading of the next page gets the focus that was lost with the page before, once it is there', async () => {
  const { rerender } = render(<Site path="/a" />);
  expect(document.activeElement).toBe(document.body);
  act(() => screen.getByRole('button').focus());
  rerender(<Site path="/b" ready={false} />);
  expect(document.activeElement).toBe(document.body);
  rerender(<Site path="/b" />);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: '/b' })));
});

test('an address that leads on to another by itself puts the focus nowhere', () => {
  Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false }, configurable: true });
  try {
    const { rerender } = render(<Site path="/a" />);
    rerender(<Site path="/a/index" />);
    expect(document.activeElement).toBe(document.body);
  } finally {
    Reflect.deleteProperty(navigator, 'userActivation');
  }
});

test('who has gone on by then is left alone, and so is what has the focus', async () => {
  const { rerender } = render(<Site path="/a" />);
  rerender(<Site path="/b" ready={false} />);
  dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }));
  rerender(<Site path="/b" />);
  await new Promise((resolve) => queueMicrotask(() => resolve(null)));
  expect(document.activeElement).toBe(document.body);
  const field = document.body.appendChild(document.createElement('input'));
  field.focus();
  rerender(<Site path="/c" />);
  await new Promise((resolve) => queueMicrotask(() => resolve(null)));
  expect(document.activeElement).toBe(field);
  field.remove();
});
