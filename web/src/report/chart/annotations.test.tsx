import { fireEvent, render, screen } from '@testing-library/react';
import type { Annotation } from '@hengxi/contracts/chart/figure-edit';
import { LIGHT } from '@hengxi/contracts/chart/theme';
import { expect, test, vi } from 'vitest';

import { Annotations } from './annotations.tsx';

const TEXTS: Annotation[] = [
  { x: 0.5, y: 0.5, text: '拐点', facet: '' },
  { x: 0.1, y: 0.1, text: '别处', facet: '男' },
];

test('an annotation of this facet is moved by keys and deleted; a step is a whole change', () => {
  const onChange = vi.fn<(next: Annotation[]) => void>();
  render(<Annotations texts={TEXTS} facet="" theme={LIGHT} onChange={onChange} />);
  expect(screen.queryByText('别处')).toBeNull();
  const text = screen.getByRole('button', { name: /标注：拐点/ });
  fireEvent.keyDown(text, { key: 'ArrowRight' });
  expect(onChange).toHaveBeenLastCalledWith([{ ...TEXTS[0], x: 0.51 }, TEXTS[1]]);
  fireEvent.keyDown(text, { key: 'ArrowUp', shiftKey: true });
  expect(onChange).toHaveBeenLastCalledWith([{ ...TEXTS[0], y: 0.45 }, TEXTS[1]]);
  fireEvent.keyDown(text, { key: 'Delete' });
  expect(onChange).toHaveBeenLastCalledWith([TEXTS[1]]);
});

test('where nothing can be changed it is text and no button', () => {
  render(<Annotations texts={TEXTS} facet="" theme={LIGHT} />);
  expect(screen.getByText('拐点').tagName).toBe('SPAN');
  expect(screen.queryByRole('button')).toBeNull();
});
