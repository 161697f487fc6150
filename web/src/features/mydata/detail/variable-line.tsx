/** One variable in the property table. */
import type { Column, ColumnEdit } from '@hengxi/server/files/schema';
import { Checkbox } from 'antd';
import { type ClipboardEvent, useState } from 'react';

import { isNumber } from '../../../fields/boxes/fit.ts';
import { levelTitle } from '../../../fields/column.ts';
import { retyped } from '../../../fields/retype.ts';
import { meaningFor, unscorable } from '../../../fields/scoring.ts';
import { DropMenu } from '../../../ui/drop-menu.tsx';
import { MeasureIcon, measureKind } from '../../../ui/measure-icon.tsx';
import { isTable, parseBlock } from '../upload/paste.ts';
import { pastedText } from './grid/clipboard.ts';
import { missingText, readMissing } from './missing-text.ts';
import { KINDS_OF_ONE, type Pasted } from './paste-properties.ts';
import styles from './variables-tab.module.css';

type Change = Omit<ColumnEdit, 'id'>;

interface VariableLineProps {
  column: Column;
  place: number;
  top: number;
  isChanged: boolean;
  isChosen: boolean;
  onChoose: (extend: boolean) => void;
  onChange: (change: Change) => void;
  /** Several cells pasted: they go into this and the following variables. */
  onPaste: (field: Pasted, block: string[][]) => void;
  onLevels: () => void;
}

export function VariableLine(props: VariableLineProps) {
  const { column, place, top, isChanged, isChosen, onChoose, onChange, onPaste, onLevels } = props;
  const paste = (field: Pasted) => (event: ClipboardEvent) => {
    const text = pastedText(event.clipboardData);
    if (!isTable(text)) return;
    event.preventDefault();
    onPaste(field, parseBlock(text));
  };
  return (
    <div role="row" aria-rowindex={place + 2} className={styles['row']} data-changed={isChanged} style={{ top }}>
      <div role="cell">
        <Checkbox
          aria-label={`选择 ${column.name}`}
          checked={isChosen}
          onChange={(event) => onChoose(event.nativeEvent.shiftKey)}
        />
      </div>
      <div role="cell">
        <TypeCell column={column} onChange={onChange} onPaste={paste('type')} />
      </div>
      <div role="cell">
        <input
          aria-label={`第 ${place + 1} 个变量的名称`}
          value={column.name}
          maxLength={200}
          onChange={(event) => onChange({ name: event.target.value })}
          onPaste={paste('name')}
        />
      </div>
      <div role="cell">
        <input
          aria-label={`${column.name} 的标签`}
          value={column.label ?? ''}
          maxLength={1000}
          placeholder="没有标签"
          onChange={(event) => onChange({ label: event.target.value || null })}
          onPaste={paste('label')}
        />
      </div>
      <div role="cell">
        <input
          aria-label={`${column.name} 的单位`}
          value={column.unit ?? ''}
          maxLength={40}
          onChange={(event) => onChange({ unit: event.target.value || null })}
          onPaste={paste('unit')}
        />
      </div>
      <div role="cell">
        <LevelsCell column={column} onOpen={onLevels} />
      </div>
      <div role="cell">
        <MissingCell column={column} onChange={onChange} onPaste={paste('missing')} />
      </div>
    </div>
  );
}

interface CellProps {
  column: Column;
  onChange: (change: Change) => void;
  onPaste: (event: ClipboardEvent) => void;
}

function TypeCell({ column, onChange, onPaste }: CellProps) {
  const kind = measureKind(column);
  const items = KINDS_OF_ONE.filter((measure) => measure !== '定量' || unscorable([column]).length === 0).map(
    (one) => ({
      key: one,
      icon: <MeasureIcon kind={one} decorative />,
      label: (
        <span>
          {one} <small className={styles['meaning']}>{meaningFor(column, one)}</small>
        </span>
      ),
      onClick: () => {
        const { id: _, ...change } = retyped(column, one);
        onChange(change);
      },
    }),
  );
  return (
    <DropMenu menu={{ items, selectable: true, selectedKeys: [kind] }}>
      <button type="button" className={styles['type']} aria-label={`${column.name} 的类型：${kind}`} onPaste={onPaste}>
        <MeasureIcon kind={kind} decorative /> {kind}
      </button>
    </DropMenu>
  );
}

function LevelsCell({ column, onOpen }: { column: Column; onOpen: () => void }) {
  const levels = column.levels ?? [];
  if (levels.length === 0) return <span className={styles['quiet']}>–</span>;
  const words = levels.slice(0, 3).map((level) => {
    const title = levelTitle(level);
    return title === String(level.value) ? title : `${String(level.value)} = ${title}`;
  });
  return (
    <button type="button" className={styles['levels']} onClick={onOpen} aria-label={`编辑 ${column.name} 的值标签`}>
      {words.join('，')}
      {levels.length > 3 ? ` 等 ${levels.length} 个` : ''}
    </button>
  );
}

/** Free text while typing; read when the field is left, so that half a number is no fault. */
function MissingCell({ column, onChange, onPaste }: CellProps) {
  const [text, setText] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const leave = () => {
    if (text === null) return;
    const read = readMissing(text, isNumber(column), column);
    if ('fault' in read) {
      setFault(read.fault);
      return;
    }
    setText(null);
    onChange({ missing: read });
  };
  return (
    <>
      <input
        aria-label={`${column.name} 的缺失编码`}
        aria-invalid={fault !== null}
        title={fault ?? undefined}
        placeholder={isNumber(column) ? '如 99, -9~-1' : '如 不适用'}
        value={text ?? missingText(column.missing, column)}
        onChange={(event) => {
          setFault(null);
          setText(event.target.value);
        }}
        onPaste={onPaste}
        onBlur={leave}
        onKeyDown={(event) => {
          if (event.key === 'Enter') leave();
        }}
      />
      {fault ? (
        <span role="alert" className={styles['fault']}>
          {fault}
        </span>
      ) : null}
    </>
  );
}
