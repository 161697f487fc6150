import type { Rows } from '@hengxi/server/files/schema';
import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeAll, describe, expect, it, vi } from 'vitest';

import { column } from '../../../../fields/testing/harness.tsx';
import { eventually } from '../../../../testing/eventually.ts';
import { NO_EDITS, undone, withChanges } from './cell-edits.ts';
import { DataGrid, type RowColumnActions } from './data-grid.tsx';
import type { SeekEdge } from './jump.ts';
import type { FetchBlock } from './row-blocks.ts';
import { useColumnLayout } from './use-column-layout.ts';

vi.setConfig({ testTimeout: 30_000 });

// jsdom lays nothing out: the grid must believe that it has a size.
beforeAll(() => {
  Object.defineProperty(Element.prototype, 'clientHeight', { configurable: true, value: 690 });
  Object.defineProperty(Element.prototype, 'clientWidth', { configurable: true, value: 1000 });
  Element.prototype.scrollTo = () => undefined;
});

const ROWS = 1_000_000;
const COLUMNS = Array.from({ length: 30 }, (_, at) => {
  const missing = at === 28 ? 5 : 0;
  const profile = { n: 1_000_000 - missing, missing, distinct: 9 };
  return column(`c${at + 1}`, `x${at + 1}`, '定量', { decimals: 0, profile });
});
const number = (id: string) => Number(id.slice(1));

const fetchRows: FetchBlock = ({ offset, limit, columns }) => {
  const rows = Array.from({ length: Math.min(limit, ROWS - offset) }, (_, at) => offset + at);
  const found: Rows = {
    total: ROWS,
    index: rows,
    rows: rows.map((row) => columns.map((id) => row * 100 + number(id))),
    odd: offset === 0 ? [[2, 'c2', '2百零2']] : [],
  };
  return Promise.resolve(found);
};

const seekEdge = vi.fn<SeekEdge>(({ column }) => Promise.resolve({ row: 777_777, column }));

const hand = {
  menu: vi.fn<RowColumnActions['menu']>(() => [{ key: 'x', label: '插入' }]),
  onKey: vi.fn<RowColumnActions['onKey']>(),
};

function Page({ canEdit }: { canEdit: boolean }) {
  const [edits, setEdits] = useState(NO_EDITS);
  const layout = useColumnLayout(1, COLUMNS);
  return (
    <>
      <DataGrid
        columns={COLUMNS}
        rows={ROWS}
        source="one"
        fetch={fetchRows}
        seekEdge={seekEdge}
        labels
        selected={null}
        sort={null}
        layout={layout}
        editing={
          canEdit
            ? {
                cells: edits.cells,
                change: (batch) => setEdits((old) => withChanges(old, batch)),
                undo: () => setEdits(undone),
                redo: null,
              }
            : null
        }
        start={null}
        menu={() => []}
        hand={hand}
        onSelect={() => undefined}
        onTotal={() => undefined}
      />
      <output>{JSON.stringify([...edits.cells.values()])}</output>
    </>
  );
}

async function start(canEdit: boolean) {
  render(<Page canEdit={canEdit} />);
  const grid = screen.getByRole('grid', { name: '数据表' });
  await act(async () => grid.focus());
  await screen.findByText('101');
  const selected = () =>
    screen
      .getAllByRole('row')
      .filter((row) => row.getAttribute('aria-selected') === 'true')
      .map((row) => Number(row.getAttribute('aria-rowindex')) - 2);
  return { grid, selected, user: userEvent.setup(), edits: () => screen.getByRole('status').textContent };
}

function clipboard(text = ''): { data: Record<string, string>; event: object } {
  const data: Record<string, string> = { 'text/plain': text };
  return {
    data,
    event: {
      clipboardData: {
        getData: (key: string) => data[key],
        setData: (key: string, value: string) => (data[key] = value),
      },
    },
  };
}

describe('reading', () => {
  it('marks a cell that was read otherwise than it is written, and says how', async () => {
    await start(false);
    expect(screen.getByText('202').title).toBe('原文“2百零2”，读作 202');
    expect(screen.getByText('102').title).toBe('');
  });

  it('Ctrl+End shows the last of a million rows, Ctrl+Home the first', async () => {
    const { user, grid } = await start(false);
    await user.keyboard('{Control>}{End}{/Control}');
    expect(await screen.findByText(String(999_999 * 100 + 1))).toBeTruthy();
    expect(grid.getAttribute('aria-activedescendant')).toMatch(/-999999-29$/);
    await user.keyboard('{Control>}{Home}{/Control}');
    expect(grid.getAttribute('aria-activedescendant')).toMatch(/-0-0$/);
  });

  it('Ctrl and an arrow go to the edge of the data: known for a full column, else asked for', async () => {
    const { user, grid } = await start(false);
    await user.keyboard('{Control>}{ArrowRight}{ArrowDown}{/Control}');
    expect(grid.getAttribute('aria-activedescendant')).toMatch(/-999999-29$/);
    expect(seekEdge).not.toHaveBeenCalled();
    await user.keyboard('{Control>}{Home}{ArrowRight}{/Control}{ArrowLeft}{Control>}{ArrowDown}{/Control}');
    expect(seekEdge).toHaveBeenCalledExactlyOnceWith({ row: 0, column: 28 }, 'down');
    await eventually(() => expect(grid.getAttribute('aria-activedescendant')).toMatch(/-777777-28$/));
  });

  it('Shift draws a block, which is copied as lines and tabs', async () => {
    const { user, grid, selected } = await start(false);
    await user.keyboard('{ArrowDown}{Shift>}{ArrowDown}{ArrowRight}{/Shift}');
    expect(selected()).toEqual([1, 2]);
    const { data, event } = clipboard();
    fireEvent.copy(grid, event);
    expect(data['text/plain']).toBe('101\t102\r\n201\t202');
  });

  it('takes nothing that is typed', async () => {
    const { user, edits } = await start(false);
    await user.keyboard('7{Delete}');
    expect(edits()).toBe('[]');
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});

describe('rows and columns by hand', () => {
  it('the menu key opens the menu of the selected block, Ctrl Alt = and - act on it', async () => {
    const { user, grid } = await start(false);
    await user.keyboard('{ArrowDown}{Shift>}{ArrowDown}{/Shift}{ContextMenu}');
    expect(await screen.findByRole('menuitem', { name: '插入' })).toBeTruthy();
    expect(hand.menu.mock.lastCall?.[0]).toMatchObject({ rect: { top: 1, bottom: 2, left: 0, right: 0 }, total: ROWS });
    await user.keyboard('{Escape}');
    await act(async () => grid.focus());
    await user.keyboard('{Control>}{Alt>}={/Alt}{/Control}');
    expect(hand.onKey.mock.lastCall?.[0]).toBe('insert');
    await user.keyboard('{Control>} {/Control}{Control>}{Alt>}-{/Alt}{/Control}');
    expect(hand.onKey.mock.lastCall).toMatchObject(['delete', { rect: { top: 0, bottom: ROWS - 1 } }]);
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    expect(hand.menu).toHaveBeenCalled();
  });
});

describe('editing', () => {
  it('typing, Enter, refusal in place, undo', async () => {
    const { user, edits } = await start(true);
    await user.keyboard('7{Enter}');
    expect(edits()).toBe(JSON.stringify([{ row: 0, column: 'c1', old: 1, value: 7 }]));
    await user.keyboard('abc{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('应填数字，“abc”不是');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('alert')).toBeNull();
    await user.keyboard('{Delete}');
    expect(JSON.parse(edits() ?? '')).toHaveLength(2);
    await user.keyboard('{Control>}z{/Control}{Control>}z{/Control}');
    expect(edits()).toBe('[]');
  });

  it('Tab goes from cell to cell, and past the last one of the row out of the table', async () => {
    const { user, grid } = await start(true);
    const field = document.activeElement;
    await user.keyboard('{End}{Shift>}{Tab}{/Shift}{Tab}');
    expect(grid.getAttribute('aria-activedescendant')).toMatch(/-0-29$/);
    expect(document.activeElement).toBe(field);
    await user.keyboard('{Tab}');
    expect(grid.contains(document.activeElement)).toBe(false);
  });

  it('a block is pasted as a whole or not at all', async () => {
    const { grid, edits } = await start(true);
    fireEvent.paste(grid, clipboard('5\t6\n7\tx').event);
    expect(screen.getByRole('alert').textContent).toBe('应填数字，“x”不是，整块没有粘贴');
    expect(edits()).toBe('[]');
    fireEvent.paste(grid, clipboard('5').event);
    expect(JSON.parse(edits() ?? '')).toEqual([{ row: 1, column: 'c2', old: 102, value: 5 }]);
  });
});
