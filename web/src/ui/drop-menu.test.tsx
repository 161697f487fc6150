import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';

import { eventually } from '../testing/eventually.ts';
import { DropMenu } from './drop-menu.tsx';

/** jsdom knows no places, so that arrow keys find no next item: what is chosen here is the first one. */
function Page({ first }: { first: 'keep' | 'hide' }) {
  const [isHidden, setHidden] = useState(false);
  const items = [
    { key: first, label: '第一项' },
    { key: 'other', label: '第二项' },
  ];
  return (
    <main>
      <section>
        {isHidden ? null : (
          <DropMenu menu={{ items, onClick: ({ key }) => setHidden(key === 'hide') }}>
            <button type="button">更多</button>
          </DropMenu>
        )}
        <button type="button">旁边</button>
      </section>
    </main>
  );
}

const focused = (): string => document.activeElement?.textContent ?? '';
const press = (key: string, keyCode: number): boolean =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, keyCode, which: keyCode });

async function open(first: 'keep' | 'hide'): Promise<void> {
  render(<Page first={first} />);
  const button = screen.getByRole('button', { name: '更多' });
  button.focus();
  fireEvent.click(button);
  await eventually(() => expect(focused()).toBe('第一项'));
  expect(button.getAttribute('aria-expanded')).toBe('true');
}

test('a menu takes the keys when it opens, and Esc gives the focus back', async () => {
  await open('keep');
  press('Escape', 27);
  await eventually(() => expect(focused()).toBe('更多'));
  expect(screen.getByRole('button', { name: '更多' }).getAttribute('aria-expanded')).toBe('false');
});

test('who has chosen is back at the button', async () => {
  await open('keep');
  press('Enter', 13);
  // The browser sends what follows of the key to what has the focus then: the button would open the menu again.
  expect(focused()).toBe('第一项');
  await eventually(() => expect(focused()).toBe('更多'));
});

test('where the choice took the button away, the focus goes beside it', async () => {
  await open('hide');
  press('Enter', 13);
  await eventually(() => expect(focused()).toBe('旁边'));
});
