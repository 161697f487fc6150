/** 已有新版本: what there is now, which cells both have changed, and where the changes shall go. */
import type { Cell, Column, Newer } from '@hengxi/server/files/schema';
import { Button, Radio } from 'antd';
import { useState } from 'react';

import { titleOf } from '../../../fields/column.ts';
import { formatCount, formatWhen } from '../../../lib/format-size.ts';
import { quoted } from '../../../lib/quoted.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { type SaveTo, useSaveConflict } from './save-conflict.ts';
import styles from './save-conflict-dialog.module.css';

const SHOWN = 5;

export function SaveConflictDialog({ known }: { known: ReadonlyMap<string, Column> }) {
  const asked = useSaveConflict((state) => state.asked);
  // Another question begins with no choice made.
  return asked === null ? null : <Question key={asked.newer.head} asked={asked} known={known} />;
}

function Question({
  asked: { newer, number, send },
  known,
}: {
  asked: NonNullable<ReturnType<typeof useSaveConflict.getState>['asked']>;
  known: ReadonlyMap<string, Column>;
}) {
  const [theirs, setTheirs] = useState(false);
  const close = () => useSaveConflict.setState({ asked: null });
  const answer = (to: SaveTo) => {
    close();
    send(to);
  };
  const both = newer.cells?.both_total ?? 0;
  return (
    <Dialog
      open
      title={`已有新版本 v${newer.number}`}
      width="choose"
      outsideCloses={false}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>先不保存</Button>
          <Button onClick={() => answer({ branch: true })}>从 v{number} 另起一个版本</Button>
          <Button type="primary" onClick={() => answer({ onto: newer.head, theirs: both > 0 && theirs })}>
            应用到 v{newer.number}
          </Button>
        </>
      }
    >
      <p className={styles['line']}>
        {newer.author ?? '有人'}在 {formatWhen(newer.made_at)} 保存了 v{newer.number}
        {quoted(newer.title)}。你的修改还没有保存，也没有丢失。
      </p>
      {newer.cells && newer.cells.gone > 0 ? (
        <p className={styles['line']}>
          其中 {formatCount(newer.cells.gone)} 个单元格的行或列在 v{newer.number} 里已被删除，不会写入。
        </p>
      ) : null}
      {newer.cells && both > 0 ? (
        <>
          <p className={styles['line']}>有 {formatCount(both)} 个单元格两边都改过：</p>
          <Both cells={newer.cells} known={known} />
          <Radio.Group
            aria-label="两边都改过的单元格"
            value={theirs}
            onChange={(event) => setTheirs(event.target.value === true)}
            options={[
              { value: false, label: '用我的值' },
              { value: true, label: `保留 v${newer.number} 的值` },
            ]}
          />
        </>
      ) : null}
    </Dialog>
  );
}

const shown = (value: Cell): string => (value === null || value === '' ? '缺失' : String(value));

function Both({ cells, known }: { cells: NonNullable<Newer['cells']>; known: ReadonlyMap<string, Column> }) {
  const more = cells.both_total - Math.min(SHOWN, cells.both.length);
  return (
    <ul className={styles['both']}>
      {cells.both.slice(0, SHOWN).map(({ row, column: id, now, value }) => {
        const column = known.get(id);
        return (
          <li key={`${row} ${id}`}>
            第 {formatCount(row + 1)} 行“{column ? titleOf(column) : id}”：你写 {shown(value)}，现在是 {shown(now)}
          </li>
        );
      })}
      {more > 0 ? <li>另有 {formatCount(more)} 格</li> : null}
    </ul>
  );
}
