/** What the parts of the figure editor are made of: a headed group, a line with a control, a text that counts when it is left. */
import type { AxisName, FigureEdit } from '@hengxi/contracts/chart/figure-edit';
import type { ChartElement, TableElement } from '@hengxi/contracts/contract';
import { Input } from 'antd';
import { type ReactNode, useState } from 'react';

import styles from './figure-editor.module.css';

/** `undefined` takes a word out of the edit. */
export type Change = { [K in keyof FigureEdit]?: FigureEdit[K] | undefined };

export interface PartProps {
  chart: ChartElement;
  tables: ReadonlyMap<string, TableElement>;
  edit: FigureEdit;
  onChange: (next: Change) => void;
}

export const AXES: Record<AxisName, string> = { x: '横轴', y: '纵轴' };

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles['part']}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

export function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles['row']}>
      <span>{label}</span>
      {children}
    </div>
  );
}

interface TypedProps {
  label: string;
  value: string;
  placeholder?: string;
  most?: number;
  onDone: (text: string) => void;
}

/** Text counts when the box is left or Enter is pressed: one step of undo, not one a letter. */
export function Typed({ label, value, placeholder, most = 200, onDone }: TypedProps) {
  const [own, setOwn] = useState<string | null>(null);
  const done = (): void => {
    if (own !== null && own.trim() !== value) onDone(own.trim());
    setOwn(null);
  };
  return (
    <Input
      size="small"
      aria-label={label}
      maxLength={most}
      placeholder={placeholder ?? ''}
      value={own ?? value}
      onChange={(event) => setOwn(event.target.value)}
      onBlur={done}
      onPressEnter={(event) => {
        if (!event.nativeEvent.isComposing) done();
      }}
    />
  );
}
