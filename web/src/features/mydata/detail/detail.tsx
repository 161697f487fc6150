/** The panes of the data page: variables on the left, the tabs in the middle, health or one variable on the right. */
import { rowsConditionText } from '@hengxi/contracts/report/row-ranges';
import type { Version } from '@hengxi/server/files/schema';
import { Drawer } from 'antd';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';

import { byId } from '../../../fields/column.ts';
import { conditionWords } from '../../../fields/condition/words.ts';
import { useShortcut } from '../../../lib/shortcuts.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { findRow } from '../queries.ts';
import { readCellDraft } from './cell-draft.ts';
import { DataTab } from './data-tab.tsx';
import styles from './detail.module.css';
import { DetailStatus } from './detail-status.tsx';
import { UnsavedCellsBar } from './unsaved-cells-bar.tsx';
import { SaveConflictDialog } from './save-conflict-dialog.tsx';
import { StaleVersionBar } from './stale-version-bar.tsx';
import type { Draft } from './draft.ts';
import { FilterDialog } from './filter-dialog.tsx';
import { GoToDialog } from './go-to-dialog.tsx';
import type { GridHandle } from './grid/data-grid.tsx';
import type { Place } from './grid/move.ts';
import { ImportTab } from './import-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { openReplaceBar, useReplaceBar } from './replace-store.ts';
import { SIDE_PANE_HIDDEN, SidePane } from './side-pane.tsx';
import { SurveyTab } from './survey-tab.tsx';
import { TabBar, type TabKey, tabOf } from './tab-bar.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';
import { startOf, useCellEdits } from './use-cell-edits.ts';
import { lookOf, type Picked, rowsWhere, type TableView, useTableView } from './use-table-view.ts';
import { VariableList } from './variable-list.tsx';
import { VariablesTab } from './variables-tab.tsx';
import { ParseFormatDialog } from './parse-format-dialog.tsx';

/** The cell one stands at stays the same one while rows are left out and come back; the first one where it is left out. */
function keepRow(vid: number, grid: RefObject<GridHandle | null>, sent: RefObject<number>) {
  const number = grid.current?.number() ?? null;
  if (number === null) return null;
  return ({ sort, find, picked }: Pick<TableView, 'sort' | 'find' | 'picked'>): void => {
    const body = { ...lookOf({ sort, picked }), number, text: find };
    const before = sent.current;
    const go = (row: number) => sent.current === before && grid.current?.goTo({ row });
    findRow(vid, body).then(
      ({ row }) => go(row ?? 0),
      () => go(0),
    );
  };
}

export function Detail({ version }: { version: Version }) {
  const [params, setParams] = useSearchParams();
  const tab = tabOf(params.get('tab'));
  const selected = params.get('column');
  const grid = useRef<GridHandle>(null);
  const [dialog, setDialog] = useState<'filter' | 'goto' | null>(null);
  const known = useMemo(() => byId(version.columns), [version.columns]);
  const { state } = useLocation();
  const rows = params.get('rows');
  const leaver = params.get('step');
  const [start] = useState(() => {
    const initial = startOf(state);
    // Another page wants these rows to be looked at.
    if (rows === null) return initial;
    const title =
      leaver !== null && /^\d{1,4}$/u.test(leaver)
        ? `第 ${leaver} 步去掉的行`
        : (rowsConditionText(rows) ?? conditionWords(rows, known));
    return { ...initial, picked: rowsWhere(title, rows) };
  });
  /** Counts the times one was sent somewhere: what was asked for before that leads nowhere any more. */
  const sent = useRef(0);
  const view = useTableView(start, () => keepRow(version.vid, grid, sent));
  // Kept here: another tab does not throw away what was changed in the property table.
  const [draft, setDraft] = useState<Draft>(new Map());
  const [wantsEditing, setEditing] = useState(() => start.editing || readCellDraft(version).size > 0);
  const isEditing = wantsEditing && !version.locked;
  const edits = useCellEdits(version, isEditing, view, () => grid.current?.place() ?? null);

  const setParam = useCallback(
    (name: string, value: string | null) =>
      setParams(
        (old) => {
          const next = new URLSearchParams(old);
          if (value === null) next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  // Taken up once: the address of a version is the version, however it is looked at.
  useEffect(() => {
    if (rows !== null) setParam('rows', null);
    if (leaver !== null) setParam('step', null);
  }, [rows, leaver, setParam]);
  const setTab = (key: TabKey) => setParam('tab', key === 'data' ? null : key);
  const select = (column: string | null) => setParam('column', column);
  const show = (column: string) => {
    select(column);
    grid.current?.goTo({ column: version.columns.findIndex((one) => one.id === column) });
  };
  // The grid takes the focus back from where one comes from, and must be there first.
  const goTo = (place: Partial<Place>) => {
    setTab('data');
    sent.current += 1;
    setTimeout(() => {
      grid.current?.goTo(place);
      grid.current?.focus();
    }, 50);
  };
  const goToCell = (place: Place) => {
    // Row numbers of the file count in its own order.
    view.setSort(null);
    view.setPicked(null);
    view.setFind('');
    goTo(place);
  };
  const pick = (picked: Picked) => {
    view.setPicked(picked);
    setTab('data');
  };

  const narrow = useMedia(SIDE_PANE_HIDDEN);
  const [drawn, setDrawn] = useState(false);
  const column = selected === null ? null : (known.get(selected) ?? null);

  useShortcut('Ctrl+Alt+L', () => view.setLabels(!view.labels));
  useShortcut('Ctrl+Shift+F', () => setDialog((old) => old ?? 'filter'));
  const replacing = useReplaceBar(({ fid }) => fid === version.fid);
  const openReplace = () => {
    setTab('data');
    // Rows that hold the text of the other search only are no view to replace in.
    view.setFind('');
    openReplaceBar(version.fid);
  };
  useShortcut('Ctrl+H', openReplace, !(replacing && tab === 'data'));
  useShortcut('Ctrl+G', () => setDialog((old) => old ?? 'goto'));

  return (
    <div className={styles['page']}>
      <h1 className="hx-hidden">{version.name}</h1>
      <DetailStatus
        version={version}
        known={known}
        onFilter={() => setDialog('filter')}
        handOn={edits.handOn}
        onSide={narrow ? { text: column === null ? '体检与步骤' : '变量卡', open: () => setDrawn(true) } : null}
      />
      <StaleVersionBar version={version} unsaved={edits.edits.cells.size > 0 || draft.size > 0} />
      <UnsavedCellsBar version={version} />
      <p className={styles['phone']}>数据分析请在电脑浏览器上进行，手机可阅读、评论和分享。</p>
      <div className={styles['panes']}>
        <VariableList
          vid={version.vid}
          columns={version.columns}
          sets={version.sets}
          selected={selected}
          onSelect={show}
        />
        <section className={styles['middle']} aria-label="数据">
          <TabBar
            version={version}
            grid={grid}
            tab={tab}
            onTab={setTab}
            view={view}
            editing={isEditing}
            unsaved={edits.edits.cells.size}
            drafted={draft.size}
            onEditing={setEditing}
            replacing={replacing}
            onReplace={openReplace}
            onFilter={() => setDialog('filter')}
          />
          {tab === 'data' ? (
            <DataTab
              version={version}
              known={known}
              view={view}
              grid={grid}
              start={start}
              edits={edits}
              selected={selected}
              onSelect={select}
              replacing={replacing}
              onReplace={openReplace}
              onEditing={setEditing}
            />
          ) : null}
          {tab === 'variables' ? <VariablesTab version={version} draft={draft} onDraft={setDraft} /> : null}
          {tab === 'survey' ? <SurveyTab key={version.vid} version={version} /> : null}
          {tab === 'overview' ? <OverviewTab version={version} onPick={pick} onSelect={show} /> : null}
          {tab === 'import' ? <ImportTab version={version} onGo={goToCell} /> : null}
        </section>
        {/* The overview shows the findings itself, with more room. */}
        {narrow || (tab === 'overview' && selected === null) ? null : (
          <SidePane
            version={version}
            column={column}
            view={view}
            onPick={pick}
            onSelect={show}
            onClose={() => select(null)}
          />
        )}
      </div>
      {narrow ? (
        <Drawer
          open={drawn}
          onClose={() => setDrawn(false)}
          size={340}
          title={column === null ? '体检与步骤' : '变量卡'}
          mask={{ blur: false }}
          closable={{ 'aria-label': '关闭' }}
          styles={{ body: { padding: 0 } }}
        >
          <SidePane
            drawn
            version={version}
            column={column}
            view={view}
            onPick={(picked) => {
              setDrawn(false);
              pick(picked);
            }}
            onSelect={show}
            onClose={() => select(null)}
          />
        </Drawer>
      ) : null}
      <ParseFormatDialog />
      {/* One for both: the router asks only one. */}
      <UnsavedGuard cells={edits.edits.cells.size > 0 && !edits.isKept} variables={draft.size > 0} />
      <SaveConflictDialog known={known} />
      {dialog === 'filter' ? <FilterDialog version={version} known={known} onClose={() => setDialog(null)} /> : null}
      {dialog === 'goto' ? (
        <GoToDialog
          columns={version.columns}
          rows={view.total ?? version.rows}
          onGo={(place) => {
            setDialog(null);
            goTo(place);
          }}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </div>
  );
}
