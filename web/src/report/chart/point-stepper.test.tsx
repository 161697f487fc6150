import { fireEvent, render, screen } from '@testing-library/react';
import type { PlacedMark } from '@hengxi/contracts/chart/cases';
import { expect, test, vi } from 'vitest';

import { placeAfter, PointStepper } from './point-stepper.tsx';

const POINTS: PlacedMark[] = [0, 1, 2, 3].map((i) => ({
  seriesIndex: 0,
  dataIndex: i,
  value: [i, 10],
  tip: [`序号 ${i + 1}`, '均值 10'],
  ...(i % 2 === 1 ? { signal: true } : {}),
}));

test('arrows go from point to point and stop at both ends, Page keys go from signal to signal', () => {
  expect(placeAfter('ArrowRight', POINTS, 0)).toBe(1);
  expect(placeAfter('ArrowLeft', POINTS, 0)).toBe(0);
  expect(placeAfter('ArrowRight', POINTS, 3)).toBe(3);
  expect(placeAfter('End', POINTS, 0)).toBe(3);
  expect(placeAfter('PageDown', POINTS, 1)).toBe(3);
  expect(placeAfter('PageUp', POINTS, 3)).toBe(1);
  expect(placeAfter('PageDown', POINTS, 3)).toBe(3);
  expect(placeAfter('Tab', POINTS, 0)).toBeNull();
});

test('a point is spoken as its tip says it, and Enter opens it', () => {
  const onMove = vi.fn<(at: number | null) => void>();
  const onOpen = vi.fn<() => void>();
  render(<PointStepper points={POINTS} at={1} onMove={onMove} onOpen={onOpen} caption="图 1" />);
  const slider = screen.getByRole('slider', { name: '图 1：逐点查看' });
  expect(slider.getAttribute('aria-valuetext')).toBe('序号 2，均值 10');
  fireEvent.keyDown(slider, { key: 'ArrowRight' });
  expect(onMove).toHaveBeenLastCalledWith(2);
  fireEvent.keyDown(slider, { key: 'Enter' });
  expect(onOpen).toHaveBeenCalledOnce();
});
