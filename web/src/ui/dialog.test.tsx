import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';

import { Dialog } from './dialog.tsx';

/** As most dialogs are: on the page only while they are open. */
function Page({ replaced }: { replaced: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [isDone, setDone] = useState(false);
  return (
    <main>
      <section>
        {isDone && replaced ? null : (
          <button type="button" onClick={() => setOpen(true)}>
            改名
          </button>
        )}
        <button type="button">旁边</button>
      </section>
      {isOpen ? (
        <Dialog open title="改名" width="form" onClose={() => setOpen(false)}>
          <button
            type="button"
            onClick={() => {
              setDone(true);
              setOpen(false);
            }}
          >
            好了
          </button>
        </Dialog>
      ) : null}
    </main>
  );
}

function walk(replaced: boolean): void {
  render(<Page replaced={replaced} />);
  const opener = screen.getByRole('button', { name: '改名' });
  opener.focus();
  fireEvent.click(opener);
  const done = screen.getByRole('button', { name: '好了' });
  done.focus();
  fireEvent.click(done);
  expect(screen.queryByRole('dialog')).toBeNull();
}

test('a dialog that goes gives the focus back to what opened it', () => {
  walk(false);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: '改名' }));
});

test('where what opened it is gone as well, the focus goes beside it', () => {
  walk(true);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: '旁边' }));
});
