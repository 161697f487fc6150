import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';

import { useSettings } from './use-settings.ts';

const DECLARATION: any = { fields: [{ key: 'n', title: '组数' }] };

test('settings are undone and done again, and each move is named', () => {
  const { result } = renderHook(() => useSettings(DECLARATION, 1, { n: 2 }));
  expect(result.current.moves).toEqual({ undo: null, redo: null });
  act(() => result.current.commit({ n: 3 }, 'n'));
  act(() => result.current.commit({ n: 3, _filter: null }, '_filter'));
  expect(result.current.moves.undo?.text).toBe('修改筛选');
  act(() => result.current.moves.undo?.run());
  expect(result.current.form).toEqual({ n: 3 });
  expect(result.current.moves.undo?.text).toBe('修改“组数”');
  expect(result.current.moves.redo?.text).toBe('修改筛选');
  act(() => result.current.moves.undo?.run());
  expect(result.current.form).toEqual({ n: 2 });
  act(() => result.current.moves.redo?.run());
  expect(result.current.form).toEqual({ n: 3 });
});

test('settings of an earlier visit are there again, can be taken back, and are kept as they change', () => {
  const kept: unknown[] = [];
  const hand = { draft: { n: 5 }, keep: (form: unknown) => void kept.push(form) };
  const { result } = renderHook(() => useSettings(DECLARATION, 1, { n: 2 }, hand));
  expect(result.current.form).toEqual({ n: 5 });
  expect(result.current.moves.undo?.text).toBe('恢复未应用的设置');
  expect(kept).toEqual([]);
  act(() => result.current.commit({ n: 6 }, 'n'));
  act(() => result.current.moves.undo?.run());
  act(() => result.current.moves.undo?.run());
  expect(result.current.form).toEqual({ n: 2 });
  expect(kept).toEqual([{ n: 6 }, { n: 5 }, null]);
});
