import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';

import { ManySelect } from './many-select.tsx';

const told: string[][] = [];

function Field() {
  const [value, setValue] = useState<string[]>([]);
  const change = (keys: string[]) => {
    told.push(keys);
    setValue(keys);
  };
  return (
    <ManySelect
      aria-label="值"
      value={value}
      onChange={change}
      options={[
        { value: 'a', label: '甲' },
        { value: 'b', label: '乙' },
      ]}
    />
  );
}

it('what was chosen stays when Tab leaves the list', async () => {
  told.length = 0;
  render(<Field />);
  await userEvent.click(screen.getByRole('combobox', { name: '值' }));
  await userEvent.click(screen.getByTitle('乙'));
  expect(told).toEqual([['b']]);
  const isLeft = fireEvent.keyDown(screen.getByRole('combobox', { name: '值' }), { key: 'Tab', keyCode: 9, which: 9 });
  expect([isLeft, told]).toEqual([true, [['b']]]);
});
