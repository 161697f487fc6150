import { ELEMENTS } from '@hengxi/contracts/testing/elements';
import { MAIN, report } from '@hengxi/contracts/testing/reports';
import { PRESENTATION } from '@hengxi/contracts/report/presentation';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';

import { ReportView } from '../report-view.tsx';

vi.setConfig({ testTimeout: 20_000 });

afterEach(() => localStorage.clear());

const DOCUMENT = report([ELEMENTS.lead, MAIN]);
const box = () => screen.queryByRole<HTMLTextAreaElement>('textbox', { name: '附注' });
const type = (value: string): void => void fireEvent.change(box()!, { target: { value } });

function Sheet({ keptAs, readonly = false }: { keptAs: string; readonly?: boolean }) {
  const [value, setValue] = useState(PRESENTATION);
  return (
    <ReportView
      report={DOCUMENT}
      presentation={value}
      onPresentationChange={setValue}
      keptAs={keptAs}
      readonly={readonly}
    />
  );
}

const offer = () => screen.getAllByRole('button', { name: '写附注' })[0]!;

test('a note that is not saved is there again when the report is, and only there', () => {
  const first = render(<Sheet keptAs="2/5" />);
  fireEvent.click(offer());
  expect(document.activeElement).toBe(box());
  type('样本只来自一所学校');
  first.unmount();

  const other = render(<Sheet keptAs="2/6" />);
  expect(box()).toBeNull();
  other.unmount();
  const old = render(<Sheet keptAs="2/5" readonly />);
  expect(box()).toBeNull();
  old.unmount();

  render(<Sheet keptAs="2/5" />);
  expect(box()?.value).toBe('样本只来自一所学校');
  // Nobody asked for it now: the page does not scroll there by itself.
  expect(document.activeElement).not.toBe(box());
});

test.each([
  { how: '保存', button: /^保 ?存$/u },
  { how: '取消', button: /^取 ?消$/u },
])('$how ends what was kept of it', ({ how, button }) => {
  const first = render(<Sheet keptAs="2/5" />);
  fireEvent.click(offer());
  type('样本只来自一所学校');
  fireEvent.click(screen.getByRole('button', { name: button }));
  expect(box()).toBeNull();
  expect(screen.queryByText('样本只来自一所学校') !== null).toBe(how === '保存');
  first.unmount();
  render(<Sheet keptAs="2/5" />);
  expect(box()).toBeNull();
});
