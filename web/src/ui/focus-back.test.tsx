import { fireEvent, render, screen } from '@testing-library/react';
import { useRef, useState } from 'react';
import { expect, test } from 'vitest';

import { eventually } from '../testing/eventually.ts';
import { RESTS, useFocusStays } from './focus-back.ts';

function Form() {
  const root = useRef<HTMLDivElement>(null);
  const [isWarned, setWarned] = useState(true);
  useFocusStays(root);
  return (
    <>
      <div ref={root}>
        <button type="button">说明</button>
        <section>
          <button type="button">放入</button>
          <div {...RESTS} role="group" aria-label="分组变量" tabIndex={-1} />
          {isWarned ? (
            <div role="alert">
              <button type="button" onClick={() => setWarned(false)}>
                改为定类
              </button>
            </div>
          ) : null}
        </section>
      </div>
      <p>别处</p>
    </>
  );
}

function press(): void {
  const remedy = screen.getByRole('button', { name: '改为定类' });
  remedy.focus();
  fireEvent.click(remedy);
}

test('a button that goes with what it did leaves the focus beside it', async () => {
  render(<Form />);
  press();
  await eventually(() => expect(document.activeElement).toBe(screen.getByRole('group', { name: '分组变量' })));
});

test('who has pointed elsewhere meanwhile is left alone', async () => {
  render(<Form />);
  const remedy = screen.getByRole('button', { name: '改为定类' });
  remedy.focus();
  fireEvent.pointerDown(screen.getByText('别处'));
  remedy.blur();
  fireEvent.click(remedy);
  await eventually(() => expect(screen.queryByRole('alert')).toBeNull());
  // The observer is told in a task of its own; by the next one it has been.
  await new Promise<void>((resolve) => {
    queueMicrotask(resolve);
  });
  expect(document.activeElement).toBe(document.body);
});
