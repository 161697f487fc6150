/** 录入频数表: who has only counts types or pastes them; they become data weighted by the counts. */
import { PlusOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons';
import { useMutation } from '@tanstack/react-query';
import { Button, Checkbox, Input, Segmented } from 'antd';
import type { KeyboardEvent } from 'react';
import { useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';

import { errorText } from '../../../lib/api.ts';
import { toast } from '../../../lib/toast.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { makeCounts, refreshFiles } from '../queries.ts';
import { CountsGrid, focusCell } from './counts-grid.tsx';
import styles from './counts.module.css';
import {
  added,
  type Axis,
  axesOf,
  bodyOf,
  canRemove,
  full,
  type Kind,
  pasted,
  type Place,
  problemsOf,
  removed,
  totalsOf,
  type TypedTable,
  withCell,
  withKind,
  withName,
  withSame,
  withTitle,
} from './typed-table.ts';
import { useTypedTable } from './use-typed-table.ts';

const KINDS: { value: Kind; label: string }[] = [
  { value: 'one', label: '一个变量' },
  { value: 'two', label: '行 × 列' },
  { value: 'strata', label: '分层的行 × 列' },
];
const TITLES: Readonly<Record<Axis, string>> = { rows: '行变量', columns: '列变量', layers: '分层变量' };
const MOST_TOLD = 3;

export function CountsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} title="录入频数表" width="wide" onClose={onClose} outsideCloses={false}>
      <Editor onClose={onClose} />
    </Dialog>
  );
}

function Editor({ onClose }: { onClose: () => void }) {
  const { table, set, undo, redo, clear, forget } = useTypedTable();
  const [chosen, setChosen] = useState(0);
  const [asked, setAsked] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const whole = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const layer = table.kind === 'strata' ? Math.min(chosen, table.layers.length - 1) : 0;
  const problems = problemsOf(table);
  const make = useMutation({
    mutationFn: makeCounts,
    onSuccess: async ({ vid }) => {
      forget();
      onClose();
      await refreshFiles();
      await navigate(`/mydata/detail/${vid}`);
      toast.done('已建成数据，并按频数加权');
    },
    onError: (error) => setFault(errorText(error)),
  });

  const change = (next: TypedTable, tag: string | null = null): void => {
    setFault(null);
    set(next, tag);
  };
  const go = ({ layer: at, row, column }: Place): void => {
    if (at !== layer) setChosen(at);
    // The layer is drawn first.
    requestAnimationFrame(() => focusCell(whole.current, row, column));
  };
  const send = (): void => {
    const body = bodyOf(table);
    setAsked(true);
    if (body) make.mutate(body);
    else if (problems[0]?.place) go(problems[0].place);
  };
  const keys = (event: KeyboardEvent): void => {
    const isZ = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
    const isY = event.ctrlKey && event.key.toLowerCase() === 'y';
    if (!isZ && !isY) return;
    event.preventDefault();
    event.stopPropagation();
    (isY || event.shiftKey ? redo : undo)?.();
  };
  const paste = (place: Place, text: string): boolean => {
    const result = pasted(table, place, text);
    if (result === null) return false;
    if ('fault' in result) setFault(result.fault);
    else change(result.table);
    return true;
  };

  return (
    <div ref={whole} className={styles['editor']} onKeyDownCapture={keys}>
      <p className={styles['hint']}>
        只有频数、没有逐份数据时用。填好后成为一份按频数加权的数据，卡方、Fisher、McNemar、Kappa 等分析可以直接用。可从
        Excel 粘贴整张表（连同行名和列名）。
      </p>
      <Segmented
        aria-label="频数表的形式"
        className={styles['kinds'] ?? ''}
        options={KINDS}
        value={table.kind}
        onChange={(kind) => change(withKind(table, kind))}
      />
      <div className={styles['titles']}>
        <Titled
          title="数据名称"
          value={table.name}
          most={200}
          onChange={(name) => change({ ...table, name }, 'name')}
        />
        {axesOf(table).map((axis) => (
          <Titled
            key={axis}
            title={table.kind === 'one' ? '变量' : TITLES[axis]}
            value={table.titles[axis]}
            most={60}
            onChange={(title) => change(withTitle(table, axis, title), `title.${axis}`)}
          />
        ))}
      </div>
      {table.kind === 'one' ? null : (
        <Checkbox checked={table.same} onChange={(event) => change(withSame(table, event.target.checked))}>
          行和列是同一组类别（配对前后、两位评价者）
        </Checkbox>
      )}
      {table.kind === 'strata' ? <Layers table={table} layer={layer} onLayer={setChosen} onTable={change} /> : null}
      <CountsGrid
        table={table}
        layer={layer}
        onCell={(place, typed) =>
          change(withCell(table, place, typed), `cell.${place.layer}.${place.row}.${place.column}`)
        }
        onName={(axis, at, name) => change(withName(table, axis, at, name), `name.${axis}.${at}`)}
        onRemove={(axis, at) => change(removed(table, axis, at))}
        onPaste={paste}
      />
      <div className={styles['tools']}>
        <AddButton axis="rows" title="加一行" table={table} onTable={change} />
        {table.kind === 'one' || table.same ? null : (
          <AddButton axis="columns" title="加一列" table={table} onTable={change} />
        )}
        <span className={styles['gap']} />
        <Button
          icon={<UndoOutlined aria-hidden />}
          disabled={undo === null}
          onClick={() => undo?.()}
          title="撤销（Ctrl+Z）"
          aria-label="撤销"
        />
        <Button
          icon={<RedoOutlined aria-hidden />}
          disabled={redo === null}
          onClick={() => redo?.()}
          title="重做（Ctrl+Shift+Z）"
          aria-label="重做"
        />
        <Button onClick={clear}>清空</Button>
      </div>
      <div role="alert" className={styles['faults']}>
        {fault === null ? null : <p>{fault}</p>}
        {asked
          ? problems.slice(0, MOST_TOLD).map(({ text, place }) => (
              <p key={text}>
                {text}
                {place === null ? null : (
                  <button type="button" className="hx-link" onClick={() => go(place)}>
                    去填
                  </button>
                )}
              </p>
            ))
          : null}
      </div>
      <div className={styles['foot']}>
        <span role="status">共 {totalsOf(table, layer).whole} 例</span>
        <Button onClick={onClose}>取消</Button>
        <Button type="primary" loading={make.isPending} onClick={send}>
          建成数据
        </Button>
      </div>
    </div>
  );
}

interface TitledProps {
  title: string;
  value: string;
  most: number;
  onChange: (value: string) => void;
}

function Titled({ title, value, most, onChange }: TitledProps) {
  const id = useId();
  return (
    <div className={styles['titled']}>
      <label htmlFor={id}>{title}</label>
      <Input id={id} value={value} maxLength={most} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}

interface AddProps {
  axis: Axis;
  title: string;
  table: TypedTable;
  onTable: (table: TypedTable) => void;
}

function AddButton({ axis, title, table, onTable }: AddProps) {
  const why = full(table, axis);
  return (
    <Button
      icon={<PlusOutlined aria-hidden />}
      disabled={why !== null}
      title={why ?? undefined}
      onClick={() => onTable(added(table, axis))}
    >
      {title}
    </Button>
  );
}

interface LayersProps {
  table: TypedTable;
  layer: number;
  onLayer: (layer: number) => void;
  onTable: (table: TypedTable, tag?: string) => void;
}

function Layers({ table, layer, onLayer, onTable }: LayersProps) {
  return (
    <div className={styles['layers']}>
      <Segmented
        aria-label="现在填的层"
        options={table.layers.map((name, value) => ({ value, label: name || `第 ${value + 1} 层` }))}
        value={layer}
        onChange={onLayer}
      />
      <AddButton
        axis="layers"
        title="加一层"
        table={table}
        onTable={(next) => {
          onTable(next);
          onLayer(next.layers.length - 1);
        }}
      />
      <Button disabled={!canRemove(table, 'layers')} onClick={() => onTable(removed(table, 'layers', layer))}>
        删除这一层
      </Button>
      <Titled
        title="层的名称"
        value={table.layers[layer] ?? ''}
        most={100}
        onChange={(name) => onTable(withName(table, 'layers', layer, name), `name.layers.${layer}`)}
      />
    </div>
  );
}
