/**
 * Tools, form, table and steps on one screen. Where there is less room the tools and the steps come as sheets from the
 * sides; on a phone, or with the page zoomed to 200 %, one of the four is shown at a time.
 */
import { AppstoreOutlined, OrderedListOutlined } from '@ant-design/icons';
import { Button, Drawer, Segmented } from 'antd';
import type { ReactNode } from 'react';
import { createContext, use, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import { useShortcut } from '../../lib/shortcuts.ts';
import { useMedia, useStacked } from '../../lib/use-media.ts';
import styles from './workplace.module.css';

export type Pane = 'tools' | 'form' | 'table' | 'steps';

const NARROW = '(max-width: 1279px)';

interface WorkplaceProps {
  /** The bar above, with `SheetButtons` in it. */
  status: ReactNode;
  tools: ReactNode;
  /** Null as long as no tool is chosen. */
  form: ReactNode | null;
  /** What the table is called while there is room for one pane only. */
  tableTitle: string;
  table: ReactNode;
  steps: ReactNode;
  /** What is shown first where only one is. */
  first: Pane;
}

type Open = (sheet: 'tools' | 'steps') => void;

/** Null where tools and steps stand on the page. */
const SheetContext = createContext<Open | null>(null);

export function SheetButtons() {
  const open = use(SheetContext);
  if (open === null) return null;
  return (
    <>
      <Button type="text" size="small" icon={<AppstoreOutlined aria-hidden />} onClick={() => open('tools')}>
        工具
      </Button>
      <Button type="text" size="small" icon={<OrderedListOutlined aria-hidden />} onClick={() => open('steps')}>
        步骤
      </Button>
    </>
  );
}

/** What takes the focus in a pane; no text field, for there a key of this kind belongs to what is typed. */
const TARGETS = ['button[aria-current]', '[role="tree"]', '[role="region"]', 'button', '[tabindex="0"]'];

const TITLES = { tools: '工具', form: '设置', steps: '步骤' } as const;

export function Workplace({ status, tools, form, tableTitle, table, steps, first }: WorkplaceProps) {
  const stacked = useStacked();
  const narrow = useMedia(NARROW);
  const [shown, setShown] = useState<Pane>(first);
  const [sheet, setSheet] = useState<'tools' | 'steps' | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const step = (by: number): void => {
    const panes = [...(root.current?.querySelectorAll<HTMLElement>('[data-pane]') ?? [])];
    const at = panes.findIndex((pane) => pane.contains(document.activeElement));
    const next = panes[(at + by + panes.length) % panes.length];
    const target = TARGETS.map((which) => next?.querySelector<HTMLElement>(which)).find((one) => one !== null);
    target?.focus();
  };
  useShortcut('F6', () => step(1));
  useShortcut('Shift+F6', () => step(-1));
  const asSheets = narrow && !stacked;
  useShortcut('Alt+T', () => {
    if (asSheets) return setSheet('tools');
    flushSync(() => setShown('tools'));
    root.current?.querySelector<HTMLElement>('[data-pane="tools"] input')?.focus();
  });
  const panes = { tools, form, table, steps };
  const order: readonly Pane[] = form === null ? ['tools', 'table', 'steps'] : ['tools', 'form', 'table', 'steps'];
  const beside = asSheets ? order.filter((pane) => pane === 'form' || pane === 'table') : order;
  return (
    <div className={styles['page']}>
      <SheetContext value={asSheets ? setSheet : null}>{status}</SheetContext>
      {stacked ? (
        <Segmented
          block
          className={styles['tabs'] ?? ''}
          aria-label="显示"
          value={shown}
          onChange={setShown}
          options={order.map((pane) => ({ value: pane, label: pane === 'table' ? tableTitle : TITLES[pane] }))}
        />
      ) : null}
      <div ref={root} className={styles['panes']} data-form={form === null ? undefined : ''}>
        {beside.map((pane) => (
          <div key={pane} className={styles[pane]} data-pane={pane} hidden={stacked && pane !== shown}>
            {panes[pane]}
          </div>
        ))}
      </div>
      {asSheets ? (
        <Drawer
          open={sheet !== null}
          onClose={() => setSheet(null)}
          placement={sheet === 'tools' ? 'left' : 'right'}
          size={340}
          title={sheet === null ? '' : TITLES[sheet]}
          mask={{ blur: false }}
          closable={{ 'aria-label': '关闭' }}
          styles={{ body: { padding: 0 } }}
        >
          {sheet === null ? null : panes[sheet]}
        </Drawer>
      ) : null}
    </div>
  );
}
