/** The honesty bar of the analysis pages: which data, which version, what filter, weight and split are in force. */
import { integer } from '@hengxi/contracts/format';
import type { Version } from '@hengxi/server/files/schema';
import {
  CheckOutlined,
  CloudSyncOutlined,
  ControlOutlined,
  DownOutlined,
  FilterOutlined,
  HistoryOutlined,
  LaptopOutlined,
  PartitionOutlined,
  RedoOutlined,
  UndoOutlined,
} from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Tooltip } from 'antd';
import dayjs from 'dayjs';
import type { ReactNode } from 'react';

import { RowLimit } from '../../fields/row-limit.tsx';
import { findableFilesQuery } from '../../lib/catalogue.ts';
import { DropMenu } from '../../ui/drop-menu.tsx';
import { StatusBar, StatusItem, StatusSeparator } from '../../ui/status-bar.tsx';
import styles from './data-status.module.css';
import { fileQuery } from './queries.ts';

export interface DataSwitchProps {
  version: Pick<Version, 'fid' | 'name' | 'number' | 'vid' | 'rows' | 'rows_limit'> | null;
  onFile: (vid: number) => void;
  onVersion: (vid: number) => void;
}

export function DataSwitch({ version, onFile, onVersion }: DataSwitchProps) {
  const files = useQuery(findableFilesQuery);
  const file = useQuery({ ...fileQuery(version?.fid ?? 0), enabled: version !== null });
  const others = (files.data?.list ?? []).filter((one) => one.fid !== version?.fid).slice(0, 20);
  const history = file.data?.history ?? [];
  return (
    <DropMenu
      menu={{
        selectedKeys: version === null ? [] : [`v${version.vid}`],
        items: [
          ...(history.length === 0
            ? []
            : [
                {
                  key: 'versions',
                  type: 'group' as const,
                  label: '版本',
                  children: history
                    .map((one, at) => ({
                      key: `v${one.vid}`,
                      label: `v${at + 1}　${one.title}${one.is_head ? '（最新）' : ''}`,
                    }))
                    .toReversed(),
                },
              ]),
          ...(others.length === 0
            ? []
            : [
                {
                  key: 'files',
                  type: 'group' as const,
                  label: '换一份数据',
                  children: others.map((one) => ({ key: `f${one.vid}`, label: one.name })),
                },
              ]),
        ],
        onClick: ({ key }) => (key.startsWith('v') ? onVersion : onFile)(Number(key.slice(1))),
      }}
    >
      <button type="button" className={styles['data']}>
        {version === null ? (
          '选择数据'
        ) : (
          <>
            <strong>{version.name}</strong> v{version.number}
            <span className="hx-hidden">，切换数据或版本</span>
          </>
        )}
        <DownOutlined aria-hidden className={styles['arrow'] ?? ''} />
      </button>
    </DropMenu>
  );
}

export interface InForce {
  filter: { text: string; counted: { count: number; rows: number } | null } | null;
  weight: string | null;
  split: string | null;
}

export interface SavedView {
  text: string;
  where: 'server' | 'device';
  saving: boolean;
}

/** 已自动保存 14:03, or where it is when the server does not have it. */
export function savedText(at: Date | null, where: 'server' | 'device', saving: boolean): SavedView | null {
  if (at === null) return null;
  const time = dayjs(at).format('HH:mm');
  if (saving) return { text: '正在保存…', where, saving };
  return { text: where === 'server' ? `已自动保存 ${time}` : `草稿在本机 ${time}`, where, saving };
}

export interface DataStatusProps {
  /** null: the method takes no data. */
  data: DataSwitchProps | null;
  inForce: InForce;
  onFilter: () => void;
  onClear: (what: 'filter' | 'weight' | 'split') => void;
  saved?: SavedView | null;
  /** Undo, redo and history; left out where there is nothing to undo. */
  steps?: { undo: string | null; redo: string | null; onUndo: () => void; onRedo: () => void; onHistory: () => void };
}

type DataInForceProps = Pick<DataStatusProps, 'inForce' | 'onFilter' | 'onClear'> & { data: DataSwitchProps };

/** Which data, and which of its rows count how. */
function DataInForce({ data, inForce, onFilter, onClear }: DataInForceProps) {
  const { filter, weight, split } = inForce;
  const countText =
    filter?.counted == null ? '' : `（${integer(filter.counted.count)} / ${integer(filter.counted.rows)}）`;
  return (
    <>
      <DataSwitch {...data} />
      <StatusSeparator />
      {data.version === null ? (
        <span>还没有选择数据</span>
      ) : (
        <>
          <StatusItem
            icon={filter === null ? undefined : <FilterOutlined aria-hidden />}
            text={
              <span className={styles['filter']} title={filter === null ? '' : filter.text}>
                {filter === null ? '筛选：无' : `筛选：${filter.text}${countText}`}
              </span>
            }
            active={filter !== null}
            onClick={onFilter}
            onRemove={() => onClear('filter')}
            removeLabel="取消筛选"
          />
          <RowLimit
            version={data.version}
            kept={filter?.counted?.count ?? null}
            onFilter={onFilter}
            onVersion={data.onVersion}
          />
          <Force word="加权" icon={<ControlOutlined aria-hidden />} name={weight} onClear={() => onClear('weight')} />
          <Force word="分层" icon={<PartitionOutlined aria-hidden />} name={split} onClear={() => onClear('split')} />
        </>
      )}
    </>
  );
}

export function DataStatus({ data, inForce, onFilter, onClear, saved, steps }: DataStatusProps) {
  return (
    <StatusBar
      left={
        <>
          {data === null ? (
            <span>不需要数据</span>
          ) : (
            <DataInForce data={data} inForce={inForce} onFilter={onFilter} onClear={onClear} />
          )}
        </>
      }
      right={
        <>
          {saved === null || saved === undefined ? null : (
            <span className={styles['saved']} role="status">
              {saved.saving ? (
                <CloudSyncOutlined aria-hidden />
              ) : saved.where === 'server' ? (
                <CheckOutlined aria-hidden />
              ) : (
                <LaptopOutlined aria-hidden />
              )}
              {saved.text}
            </span>
          )}
          {steps === undefined ? null : (
            <>
              <StatusSeparator />
              <StepButton icon={<UndoOutlined aria-hidden />} word="撤销" what={steps.undo} onClick={steps.onUndo} />
              <StepButton icon={<RedoOutlined aria-hidden />} word="重做" what={steps.redo} onClick={steps.onRedo} />
              <button type="button" className={styles['step']} onClick={steps.onHistory}>
                <HistoryOutlined aria-hidden /> 历史
              </button>
            </>
          )}
        </>
      }
    />
  );
}

function Force({
  word,
  icon,
  name,
  onClear,
}: {
  word: string;
  icon: ReactNode;
  name: string | null;
  onClear: () => void;
}) {
  if (name === null) return <StatusItem text={`${word}：无`} />;
  return <StatusItem icon={icon} text={`${word}：${name}`} active onRemove={onClear} removeLabel={`取消${word}`} />;
}

function StepButton({
  icon,
  word,
  what,
  onClick,
}: {
  icon: ReactNode;
  word: string;
  what: string | null;
  onClick: () => void;
}) {
  return (
    <Tooltip title={what === null ? `没有可${word}的` : `${word}：${what}`}>
      <button
        type="button"
        className={styles['step']}
        aria-label={what === null ? word : `${word}：${what}`}
        aria-disabled={what === null}
        onClick={what === null ? undefined : onClick}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
