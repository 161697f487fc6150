/** The card as a whole: its sections, and where a remedy of a report leads. */
import type { Declaration, Field } from '@hengxi/contracts/contract';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { VariableBoxes } from './boxes/variable-boxes.tsx';
import { MethodForm } from './method-form.tsx';
import { COMMON, Harness } from './testing/harness.tsx';

const flag = (key: string, title: string, advanced: boolean): Field => ({
  ...COMMON,
  type: 'flag',
  key,
  title,
  default: false,
  advanced,
});
const FIELDS = [flag('plain', '常用的一项', false), flag('robust', '稳健检验', true)];
const declaration: Pick<Declaration, 'fields'> = { fields: FIELDS };

function Card({ sought }: { sought: { keys: string[] } | null }) {
  return (
    <Harness fields={FIELDS} start={{ plain: false, robust: true }}>
      {() => (
        <VariableBoxes onOpen={() => undefined}>
          <MethodForm declaration={declaration as Declaration} sought={sought} />
        </VariableBoxes>
      )}
    </Harness>
  );
}

test('a remedy leads to the option it has set: its section opens, it has the focus and is marked until left', async () => {
  const { rerender } = render(<Card sought={null} />);
  expect(screen.queryByText('稳健检验')).toBeNull();

  rerender(<Card sought={{ keys: ['robust'] }} />);
  const control = screen.getByRole('switch', { name: '稳健检验' });
  expect(document.activeElement).toBe(control);
  const place = control.closest('[data-field]');
  expect(place?.hasAttribute('data-arrived')).toBe(true);

  await userEvent.tab();
  expect(place?.hasAttribute('data-arrived')).toBe(false);
  // The same remedy again leads there again.
  rerender(<Card sought={{ keys: ['robust'] }} />);
  expect(document.activeElement).toBe(control);
});
