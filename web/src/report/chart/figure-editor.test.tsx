import { render, screen } from '@testing-library/react';
import { ELEMENTS } from '@hengxi/contracts/testing/elements';
import { MAIN } from '@hengxi/contracts/testing/reports';
import type { ChartElement } from '@hengxi/contracts/contract';
import { expect, test, vi } from 'vitest';

import { FigureEditor } from './figure-editor.tsx';

const isChart = (element: { type: string }): element is ChartElement => element.type === 'chart';

test('the figure that is edited is brought in sight, whatever part of the page is read', () => {
  const chart = Object.values(ELEMENTS).find(isChart)!;
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => undefined);
  render(
    <>
      <figure data-block="f" />
      <FigureEditor
        chart={chart}
        tables={new Map([[MAIN.name, MAIN]])}
        name="f"
        edit={{}}
        caption="图 1"
        panel={undefined}
        onClose={() => undefined}
      />
    </>,
  );
  expect(screen.getByRole('dialog', { name: '编辑图 1' })).toBeTruthy();
  expect(scroll.mock.contexts).toContain(document.querySelector('[data-block=f]'));
  scroll.mockRestore();
});
