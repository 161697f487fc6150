/** The status bar of the data page: which version, what is in force for every analysis of it, undo and history. */
import {
  ControlOutlined,
  DownloadOutlined,
  DownOutlined,
  FilterOutlined,
  HistoryOutlined,
  OrderedListOutlined,
  PartitionOutlined,
  RedoOutlined,
  UndoOutlined,
} from '@ant-design/icons';
import type { Column, Version } from '@hengxi/server/files/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, type MenuProps, Tooltip } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { conditionWords } from '../../../fields/condition/words.ts';
import { titleOf } from '../../../fields/column.ts';
import { RowLimit } from '../../../fields/row-limit.tsx';
import { versionQuery } from '../../../lib/catalogue.ts';
import { formatCount, formatWhen } from '../../../lib/format-size.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { isTyping, useShortcut } from '../../../lib/shortcuts.ts';
import { DropMenu } from '../../../ui/drop-menu.tsx';
import { StatusBar, StatusItem, StatusSeparator } from '../../../ui/status-bar.tsx';
import { VersionExportDialog } from '../export/export-dialog.tsx';
import { fileQuery, setActive, setFilter } from '../queries.ts';
import { SplitDialog, WeightDialog } from './active-dialogs.tsx';
import styles from './detail-status.module.css';
import { readFilterDraft } from './filter-draft.ts';
import { HistoryDrawer } from './history-drawer.tsx';
import { LockButton } from './lock-button.tsx';
import { useEdits } from './use-edits.ts';

interface DetailStatusProps {
  version: Version;
  known: ReadonlyMap<string, Column>;
  onFilter: () => void;
  /** What the page of another version goes on with after undo and redo. */
  handOn: () => unknown;
  /** The button for what has no room beside the table. */
  onSide: { text: string; open: () => void } | null;
}

function refreshVersion(vid: number): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: versionQuery(vid).queryKey });
}

export function DetailStatus({ version, known, onFilter, handOn, onSide }: DetailStatusProps) {
  const { filter, weight, split } = version.active;
  const [dialog, setDialog] = useState<'weight' | 'split' | null>(null);
  const navigate = useNavigate();
  const reset = useMutation({
    mutationFn: () => setFilter(version.vid, '', 'keep'),
    onSuccess: () => refreshVersion(version.vid),
  });
  const end = useMutation({
    mutationFn: (what: 'weight' | 'split') => setActive(version.vid, { [what]: null }),
    onSuccess: () => refreshVersion(version.vid),
  });
  const name = (id: string) => {
    const column = known.get(id);
    return column ? titleOf(column) : id;
  };
  const isWritten = readFilterDraft(version.vid) !== null;
  const inForce = filter
    ? `筛选：${filter.filter_type === 'drop' ? '去掉 ' : ''}${conditionWords(filter.condition, known)}（${formatCount(filter.filter_count)} / ${formatCount(version.rows)}）`
    : `筛选：无（${formatCount(version.rows)} / ${formatCount(version.rows)}）`;
  const filterText = isWritten ? `${inForce}，有条件未应用` : inForce;
  return (
    <StatusBar
      left={
        <>
          <VersionMenu version={version} />
          <StatusSeparator />
          <StatusItem
            icon={filter ? <FilterOutlined aria-hidden /> : undefined}
            text={filterText}
            active={filter !== null}
            onClick={onFilter}
            onRemove={() => reset.mutate()}
            removeLabel="取消筛选"
          />
          <StatusItem
            icon={weight ? <ControlOutlined aria-hidden /> : undefined}
            text={weight ? `加权：${name(weight.column)}` : '加权：无'}
            active={weight !== null}
            onClick={() => setDialog('weight')}
            onRemove={() => end.mutate('weight')}
            removeLabel="取消加权"
          />
          <StatusItem
            icon={split ? <PartitionOutlined aria-hidden /> : undefined}
            text={split ? `分层：${name(split.column)}` : '分层：无'}
            active={split !== null}
            onClick={() => setDialog('split')}
            onRemove={() => end.mutate('split')}
            removeLabel="取消分层"
          />
          <RowLimit
            version={version}
            kept={filter?.filter_count ?? null}
            onFilter={onFilter}
            onVersion={(vid) => void navigate(`/mydata/detail/${vid}`)}
          />
          {dialog === 'weight' ? <WeightDialog version={version} onClose={() => setDialog(null)} /> : null}
          {dialog === 'split' ? <SplitDialog version={version} onClose={() => setDialog(null)} /> : null}
        </>
      }
      right={
        <>
          {onSide === null ? null : (
            <Button type="text" size="small" icon={<OrderedListOutlined aria-hidden />} onClick={onSide.open}>
              {onSide.text}
            </Button>
          )}
          <Moves version={version} handOn={handOn} />
        </>
      }
    />
  );
}

/** In a text field the letters typed are taken back, not the step; the grid's field is one once it holds letters. */
export function isWriting(target: EventTarget | null): boolean {
  const isIdle = target instanceof HTMLInputElement && target.value === '' && target.closest('[role="grid"]') !== null;
  return isTyping(target) && !isIdle;
}

function VersionMenu({ version }: { version: Version }) {
  const file = useQuery(fileQuery(version.fid));
  const navigate = useNavigate();
  const items: MenuProps['items'] = (file.data?.history ?? []).map((entry) => ({
    key: String(entry.vid),
    label: `v${entry.number}　${entry.title}`,
    extra: entry.is_head ? '当前' : formatWhen(entry.created_at),
    onClick: () => void navigate(`/mydata/detail/${entry.vid}`),
  }));
  return (
    <DropMenu menu={{ items, selectable: true, selectedKeys: [String(version.vid)] }}>
      <button type="button" className={styles['version']}>
        <b>{version.name}</b>
        <span>
          v{version.number} {version.step.title}
        </span>
        <DownOutlined aria-hidden className={styles['caret']} />
      </button>
    </DropMenu>
  );
}

/** Undo and redo move the head of the file; history shows the steps; 导出 takes the version away. */
function Moves({ version, handOn }: Pick<DetailStatusProps, 'version' | 'handOn'>) {
  const file = useQuery(fileQuery(version.fid)).data;
  const [history, setHistory] = useState(false);
  const [exporting, setExporting] = useState(false);
  const { head } = useEdits(version, handOn);
  const undo = version.locked ? null : (file?.undo ?? null);
  const redo = version.locked ? null : (file?.redo ?? null);
  const move = (word: 'undo' | 'redo', to: number | null) => (event: KeyboardEvent) => {
    if (isWriting(event.target)) document.execCommand(word);
    else if (to !== null && document.querySelector('.ant-modal') === null) head.mutate(to);
  };
  useShortcut('Ctrl+Z', move('undo', undo));
  useShortcut('Ctrl+Shift+Z', move('redo', redo));
  useShortcut('Ctrl+Y', move('redo', redo));
  return (
    <>
      <LockButton version={version} />
      <StatusSeparator />
      <Tooltip title={version.locked ? '数据已锁定' : undo === null ? '没有可撤销的步骤' : '撤销（Ctrl Z）'}>
        <Button
          type="text"
          size="small"
          aria-label="撤销"
          aria-disabled={undo === null}
          icon={<UndoOutlined aria-hidden />}
          onClick={() => undo !== null && head.mutate(undo)}
          className={undo === null ? styles['off'] : undefined}
        />
      </Tooltip>
      <Tooltip title={version.locked ? '数据已锁定' : redo === null ? '没有可重做的步骤' : '重做（Ctrl Shift Z）'}>
        <Button
          type="text"
          size="small"
          aria-label="重做"
          aria-disabled={redo === null}
          icon={<RedoOutlined aria-hidden />}
          onClick={() => redo !== null && head.mutate(redo)}
          className={redo === null ? styles['off'] : undefined}
        />
      </Tooltip>
      <Button type="text" size="small" icon={<HistoryOutlined aria-hidden />} onClick={() => setHistory(true)}>
        历史
      </Button>
      <Button type="text" size="small" icon={<DownloadOutlined aria-hidden />} onClick={() => setExporting(true)}>
        导出
      </Button>
      <HistoryDrawer version={version} open={history} onClose={() => setHistory(false)} />
      {exporting ? <VersionExportDialog vid={version.vid} onClose={() => setExporting(false)} /> : null}
    </>
  );
}
