/** Properties set for all chosen variables at once. */
import { DownOutlined } from '@ant-design/icons';
import type { Column, ColumnEdit } from '@hengxi/server/files/schema';
import { Button, Input } from 'antd';
import { useState } from 'react';

import { isNumber } from '../../../fields/boxes/fit.ts';
import { KIND_MEANING } from '../../../fields/column.ts';
import { retyped } from '../../../fields/retype.ts';
import { unscorable } from '../../../fields/scoring.ts';
import { DropMenu } from '../../../ui/drop-menu.tsx';
import { MEASURE_KINDS, MeasureIcon } from '../../../ui/measure-icon.tsx';
import { readMissing } from './missing-text.ts';
import styles from './variables-tab.module.css';

type Change = Omit<ColumnEdit, 'id'>;

interface BulkBarProps {
  chosen: readonly Column[];
  onChange: (changes: ReadonlyMap<Column, Change>) => void;
  /** Makes one multiple-answer question of them; null while other changes wait to be saved. */
  onSet: (() => void) | null;
  onClear: () => void;
}

export function BulkBar({ chosen, onChange, onSet, onClear }: BulkBarProps) {
  const kinds = MEASURE_KINDS.filter((kind) => kind !== '多选题集').map((kind) => ({
    key: kind,
    icon: <MeasureIcon kind={kind} decorative />,
    label: (
      <span>
        {kind} <small className={styles['meaning']}>{KIND_MEANING[kind]}</small>
      </span>
    ),
    onClick: () =>
      onChange(
        new Map(
          chosen
            .filter((column) => kind !== '定量' || unscorable([column]).length === 0)
            .map((column) => {
              const { id: _, ...change } = retyped(column, kind);
              return [column, change];
            }),
        ),
      ),
  }));
  return (
    <div className={styles['bulk']} role="group" aria-label="批量修改">
      <span>已选 {chosen.length} 个变量</span>
      <DropMenu menu={{ items: kinds }}>
        <Button size="small">
          设类型 <DownOutlined aria-hidden />
        </Button>
      </DropMenu>
      <MissingForAll chosen={chosen} onChange={onChange} />
      {onSet && chosen.length > 1 ? (
        <Button size="small" onClick={onSet}>
          设为多选题集
        </Button>
      ) : null}
      <button type="button" className="hx-link" onClick={onClear}>
        取消选择
      </button>
    </div>
  );
}

/** The codes are read for every variable by its own type: 99 is a number in one and a word in another. */
function MissingForAll({ chosen, onChange }: Pick<BulkBarProps, 'chosen' | 'onChange'>) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const apply = () => {
    const changes = new Map<Column, Change>();
    for (const column of chosen) {
      const missing = readMissing(text, isNumber(column), column);
      if ('fault' in missing) {
        setFault(missing.fault);
        return;
      }
      changes.set(column, { missing });
    }
    onChange(changes);
    setText('');
  };
  return (
    <span className={styles['codes']}>
      <Input
        size="small"
        aria-label="所选变量的缺失编码"
        placeholder="缺失编码，如 99, -9~-1"
        status={fault === null ? '' : 'error'}
        value={text}
        onChange={(event) => {
          setFault(null);
          setText(event.target.value);
        }}
        onPressEnter={apply}
      />
      <Button size="small" onClick={apply}>
        {text.trim() === '' ? '清除缺失编码' : '设为缺失'}
      </Button>
      {fault === null ? null : (
        <span role="alert" className={styles['fault']}>
          {fault}
        </span>
      )}
    </span>
  );
}
