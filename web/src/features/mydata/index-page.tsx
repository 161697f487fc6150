/** 我的数据: everything uploaded, what is on its way in, and every way to begin. */
import { useQuery } from '@tanstack/react-query';
import { Button, Input, type InputRef, Pagination, Select } from 'antd';
import { SearchOutlined } from '@ant-design/icons';
import { useEffect, useRef, useState } from 'react';
import { useBlocker, useNavigate, useSearchParams } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { useShortcut } from '../../lib/shortcuts.ts';
import { toast } from '../../lib/toast.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import { BinList } from './bin-list.tsx';
import { CountsDialog } from './counts/counts-dialog.tsx';
import { DropTarget } from './drop-target.tsx';
import { ExampleDialog } from './example-dialog.tsx';
import { FileTable } from './file-table.tsx';
import styles from './index-page.module.css';
import { VariableTypesLegend } from './variable-types-bar.tsx';
import { PasteDialog, usePasteAnywhere } from './paste-dialog.tsx';
import { type FileSort, filesQuery, openUploadsQuery, PAGE_SIZE } from './queries.ts';
import { SideNav } from './side-nav.tsx';
import { StartActions, StartArea } from './start-area.tsx';
import { ImportView } from './upload/import-view.tsx';
import { UploadRow } from './upload/upload-row.tsx';
import { isCatalogue, isLabelled } from './upload/catalogues.ts';
import { addCatalogue, addFiles, hasOpenUploads, tablesOf, resumeOpenUploads, useUploads } from './upload/uploads.ts';
import { useFileActions } from './use-file-actions.tsx';

const SORTS: { value: FileSort; label: string }[] = [
  { value: 'updated', label: '按更新时间' },
  { value: 'created', label: '按上传时间' },
  { value: 'name', label: '按名称' },
  { value: 'size', label: '按大小' },
];

const KEYWORD_MS = 250;

export function MyDataPage() {
  const [params] = useSearchParams();
  const [dialog, setDialog] = useState<'paste' | 'example' | 'counts' | null>(null);
  const [looked, setLooked] = useState<number | null>(null);
  const navigate = useNavigate();
  const items = useUploads((state) => state.items);
  const item = items.find((one) => one.id === looked);
  const bin = params.get('bin') === '1';
  useExampleFromAddress(() => setDialog('example'));
  useGuardUploads();
  useFoundUploads();

  const add = (files: readonly File[]) => {
    const [only] = files;
    if (item && only && files.length === 1 && isLabelled(item) && isCatalogue(only)) {
      void addCatalogue(item.id, only);
      return;
    }
    const first = addFiles(files);
    // One file is looked at before it is imported; several are imported and reported on.
    if (tablesOf(files).length === 1) setLooked(first);
  };
  usePasteAnywhere((file) => add([file]));
  useOpenWhenDone(looked, (vid) => void navigate(`/mydata/detail/${vid}`));

  return (
    <div className={styles['page']}>
      <SideNav />
      {item ? (
        <div className={styles['content']}>
          <ImportView item={item} onClose={() => setLooked(null)} onReplaced={setLooked} />
        </div>
      ) : bin ? (
        <BinList />
      ) : (
        <Files
          onAdd={add}
          onLook={setLooked}
          onPaste={() => setDialog('paste')}
          onExample={() => setDialog('example')}
          onCounts={() => setDialog('counts')}
        />
      )}
      <DropTarget onFiles={add} />
      <PasteDialog open={dialog === 'paste'} onFile={(file) => add([file])} onClose={() => setDialog(null)} />
      <CountsDialog open={dialog === 'counts'} onClose={() => setDialog(null)} />
      <ExampleDialog open={dialog === 'example'} onClose={() => setDialog(null)} />
    </div>
  );
}

/** The file being looked at leaves the list when it has become a table: then the table is what is wanted. */
function useOpenWhenDone(looked: number | null, open: (vid: number) => void): void {
  const latest = useRef(open);
  useEffect(() => {
    latest.current = open;
  });
  useEffect(() => {
    if (looked === null) return;
    return useUploads.subscribe(({ items }) => {
      const result = items.find((one) => one.id === looked)?.result;
      if (result) latest.current(result.vid);
    });
  }, [looked]);
}

/** `?example=1` comes from the home page (用示例数据走一遍): one chooses which method's example to open. */
function useExampleFromAddress(open: () => void): void {
  const [params, setParams] = useSearchParams();
  const isWanted = params.has('example');
  useEffect(() => {
    if (!isWanted) return;
    setParams({}, { replace: true });
    open();
    // Runs once for each coming; the setters are new functions on every render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isWanted]);
}

/** Uploads go on inside the product; closing the tab would stop them, and the browser asks first. */
function useGuardUploads(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (hasOpenUploads()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
  useBlocker(({ nextLocation }) => {
    if (hasOpenUploads() && !nextLocation.pathname.startsWith('/mydata')) toast.note('文件继续在后台上传');
    return false;
  });
}

const FOUND_MS = 15_000;

/** Rows for what was sent and not imported before the page was loaded anew; while there are such, other windows may go on with them. */
function useFoundUploads(): void {
  const found = useUploads(({ items }) => items.some(({ ends }) => ends !== null));
  const { data } = useQuery({ ...openUploadsQuery, refetchInterval: found ? FOUND_MS : false });
  useEffect(() => {
    if (data) resumeOpenUploads(data.list);
  }, [data]);
}

interface FilesProps {
  onAdd: (files: readonly File[]) => void;
  onLook: (id: number) => void;
  onPaste: () => void;
  onExample: () => void;
  onCounts: () => void;
}

function Files({ onAdd, onLook, onPaste, onExample, onCounts }: FilesProps) {
  const [typed, setTyped] = useState('');
  const keyword = useSettled(typed.trim(), KEYWORD_MS);
  const [sort, setSort] = useState<FileSort>('updated');
  const [page, setPage] = useState(1);
  const query = useQuery(filesQuery({ keyword, bin: false, sort, page }));
  const items = useUploads((state) => state.items);
  const { actions, dialogs } = useFileActions();
  const search = useRef<InputRef>(null);
  useShortcut('/', () => search.current?.focus());
  const list = query.data?.list ?? [];
  const total = query.data?.total ?? 0;
  const isNew = query.isSuccess && total === 0 && keyword === '' && items.length === 0;
  const versions = list.reduce((sum, file) => sum + file.versions, 0);

  return (
    <div className={styles['content']}>
      <div className={styles['inside']}>
        <PageTitle
          title="我的数据"
          aside={
            total > 0 ? (total > list.length ? `${total} 份数据` : `${total} 份数据，${versions} 个版本`) : undefined
          }
          actions={<StartActions onAdd={onAdd} onPaste={onPaste} onCounts={onCounts} />}
        />
        <StartArea onAdd={onAdd} onExample={onExample} tall={isNew} />
        {isNew ? null : (
          <div className={styles['tools']}>
            <Input
              ref={search}
              allowClear
              className={styles['search']}
              prefix={<SearchOutlined aria-hidden />}
              placeholder="搜索名称、变量、标签"
              aria-label="搜索数据"
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                setPage(1);
              }}
            />
            <Select
              aria-label="排序"
              variant="borderless"
              className={styles['sort']}
              options={SORTS}
              value={sort}
              onChange={setSort}
            />
          </div>
        )}
        {query.isPending ? <ListSkeleton /> : null}
        {query.isLoadingError ? (
          <EmptyState
            title="列表没有加载出来"
            hint={errorText(query.error)}
            actions={<Button onClick={() => void query.refetch()}>重试</Button>}
          />
        ) : null}
        {list.length > 0 || items.length > 0 ? (
          <FileTable files={list} {...actions}>
            {items.map((item) => (
              <UploadRow key={item.id} item={item} onOpen={() => onLook(item.id)} />
            ))}
          </FileTable>
        ) : null}
        {query.isSuccess && list.length === 0 && keyword !== '' ? (
          <EmptyState title={`没有找到“${keyword}”`} hint="名称、变量名和标签都找过了。换个词，或清空搜索。" />
        ) : null}
        {list.length > 0 ? <VariableTypesLegend /> : null}
        {total > PAGE_SIZE ? (
          <Pagination
            className={styles['pages']}
            current={page}
            total={total}
            pageSize={PAGE_SIZE}
            showSizeChanger={false}
            onChange={setPage}
          />
        ) : null}
      </div>
      {dialogs}
    </div>
  );
}

/** A value that has stayed the same for a while. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
