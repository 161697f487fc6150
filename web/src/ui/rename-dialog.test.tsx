import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { RenameDialog } from './rename-dialog.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const nothing = (): void => undefined;

test('the name stands selected, but not under the hands of who types already', () => {
  render(<RenameDialog open value="旧名" onSave={nothing} onClose={nothing} />);
  const field = screen.getByRole<HTMLInputElement>('textbox');
  field.focus();
  fireEvent.change(field, { target: { value: '新' } });
  field.setSelectionRange(1, 1);
  vi.advanceTimersByTime(1000);
  expect([field.selectionStart, field.selectionEnd]).toEqual([1, 1]);
});

test('nobody there yet: the whole name is selected, so that typing replaces it', () => {
  render(<RenameDialog open value="旧名" onSave={nothing} onClose={nothing} />);
  const field = screen.getByRole<HTMLInputElement>('textbox');
  vi.advanceTimersByTime(1000);
  expect(document.activeElement).toBe(field);
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 2]);
});
