/** /dataprocessing/index: the data to be processed with the tools beside it, before one is chosen. */
import type { FileRow, Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Select } from 'antd';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';

import { StepsRail } from '../../fields/steps/steps-rail.tsx';
import { useStepMoves } from '../../fields/steps/use-step-moves.ts';
import { conditionWords } from '../../fields/condition/words.ts';
import { byId } from '../../fields/column.ts';
import { findableFilesQuery } from '../../lib/catalogue.ts';
import { useCurrent } from '../../lib/use-current.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ListSkeleton, PageSkeleton } from '../../ui/skeleton.tsx';
import { StatusBar, StatusItem, StatusSeparator } from '../../ui/status-bar.tsx';
import { DataPeek } from './dispose/data-peek.tsx';
import { disposeUrl } from './dispose/dispose.tsx';
import { named, UndoButtons, useUndoKeys } from './dispose/undo-buttons.tsx';
import styles from './index-page.module.css';
import { FindingsStrip } from './findings-strip.tsx';
import { ToolsPane } from './tools-pane.tsx';
import { SheetButtons, Workplace } from './workplace.tsx';

export function ProcessingIndexPage() {
  const navigate = useNavigate();
  const { version, waiting, params, choose, set } = useCurrent();
  const files = useQuery(findableFilesQuery);
  const list = files.data?.list ?? [];
  if (files.isPending || (waiting && list.length > 0)) return <PageSkeleton />;
  if (list.length === 0 && version === null)
    return (
      <div className={styles['page']}>
        <PageTitle title="数据处理" />
        {files.isLoadingError ? (
          <ListSkeleton rows={4} />
        ) : (
          <EmptyState
            art
            title="还没有数据"
            hint="先上传一份数据，再来编码、分组、计算和筛选。"
            actions={<Button onClick={() => void navigate('/mydata/index')}>上传数据</Button>}
          />
        )}
      </div>
    );
  if (version === null)
    return (
      <div className={styles['page']}>
        <PageTitle title="数据处理" />
        <p className={styles['note']}>先选一份数据。</p>
        <FileSelect files={list} fid={null} onChoose={(file) => choose(file.vid)} />
      </div>
    );
  const known = byId(version.columns);
  const picked = (params.get('columns') ?? '').split(',').filter((id) => known.has(id));
  return (
    <Lobby
      key={version.vid}
      version={version}
      picked={picked}
      onPicked={(ids) => set({ columns: ids.join() })}
      onVersion={choose}
      files={<FileSelect files={list} fid={version.fid} onChoose={(file) => choose(file.vid)} />}
    />
  );
}

interface LobbyProps {
  version: Version;
  /** Variables the tool will begin with. */
  picked: readonly string[];
  onPicked: (ids: readonly string[]) => void;
  onVersion: (vid: number) => void;
  files: ReactNode;
}

function Lobby({ version, picked, onPicked, onVersion, files }: LobbyProps) {
  const navigate = useNavigate();
  const { active, columns, vid } = version;
  const steps = useStepMoves(version, onVersion);
  const undo = named(steps.undo, '上一步');
  const redo = named(steps.redo, '下一步');
  useUndoKeys(undo, redo);
  const start = (path: string): void =>
    void navigate(disposeUrl(vid, path) + (picked.length === 0 ? '' : `&columns=${picked.join()}`));
  const toggle = (id: string): void =>
    onPicked(picked.includes(id) ? picked.filter((one) => one !== id) : [...picked, id]);
  const filter = active.filter === null ? null : conditionWords(active.filter.condition, byId(columns));
  return (
    <Workplace
      status={
        <StatusBar
          left={
            <>
              {files}
              <span>v{version.number}</span>
              <StatusSeparator />
              <StatusItem
                text={filter === null ? '处理全部行' : `只处理筛选后的行：${filter}`}
                active={filter !== null}
              />
            </>
          }
          right={
            <>
              <SheetButtons />
              <UndoButtons undo={undo} redo={redo} />
              <StatusSeparator />
              <Link to={`/mydata/detail/${vid}`}>查看全部数据</Link>
            </>
          }
        />
      }
      first="tools"
      tools={<ToolsPane path={null} roomy onStart={start} />}
      form={null}
      tableTitle="数据"
      table={
        <section className={styles['table']} aria-label="数据预览">
          <h1>数据处理</h1>
          <p className={styles['note']}>
            选一个工具开始。每次处理存为新版本，原数据不变。
            {picked.length === 0 ? (
              '点列名可先选变量。'
            ) : (
              <>
                已选 {picked.length} 个变量，会放进工具里。
                <button type="button" className="hx-link" onClick={() => onPicked([])}>
                  取消选择
                </button>
              </>
            )}
          </p>
          <FindingsStrip vid={vid} />
          <DataPeek version={version} onPick={toggle} picked={picked} title="选中，放进下一个工具" />
        </section>
      }
      steps={
        <StepsRail
          version={version}
          onVersion={onVersion}
          onEdit={(step, on) => {
            const path = step.params['path'];
            if (typeof path === 'string') void navigate(disposeUrl(on, path, { step_id: step.step_id, of: vid }));
          }}
        />
      }
    />
  );
}

interface FileSelectProps {
  files: readonly FileRow[];
  fid: number | null;
  onChoose: (file: FileRow) => void;
}

function FileSelect({ files, fid, onChoose }: FileSelectProps) {
  return (
    <Select
      className={styles['file'] ?? ''}
      size="small"
      aria-label="选择数据"
      placeholder="选择数据"
      showSearch={{ optionFilterProp: 'label' }}
      value={fid}
      onChange={(chosen) => {
        const file = files.find((one) => one.fid === chosen);
        if (file !== undefined) onChoose(file);
      }}
      options={files.map((file) => ({ value: file.fid, label: file.name }))}
    />
  );
}
