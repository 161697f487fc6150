/** 回收站: restore, or remove for good after a question. */
import type { FileRow } from '@hengxi/server/files/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';

import { errorText } from '../../lib/api.ts';
import { formatCount, formatWhen } from '../../lib/format-size.ts';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import styles from './bin-list.module.css';
import { FormatIcon } from './format-icon.tsx';
import { filesQuery, refreshFiles, removeFile, restoreFile } from './queries.ts';

const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Days until the bin empties itself of a file. */
export function daysLeft(deletedAt: string, now: number): number {
  return Math.max(0, Math.ceil((new Date(deletedAt).getTime() + KEPT_DAYS * DAY_MS - now) / DAY_MS));
}

export function BinList() {
  const query = useQuery(filesQuery({ keyword: '', bin: true, sort: 'updated', page: 1 }));
  const [now] = useState(() => Date.now());
  const [removed, setRemoved] = useState<FileRow | null>(null);
  const restore = useMutation({
    mutationFn: (file: FileRow) => restoreFile(file.fid),
    onSuccess: async (_, file) => {
      await refreshFiles();
      toast.done(`已恢复“${file.name}”`);
    },
  });
  const remove = useMutation({
    mutationFn: (file: FileRow) => removeFile(file.fid),
    onSuccess: async () => {
      setRemoved(null);
      await refreshFiles();
      toast.done('已彻底删除');
    },
  });
  return (
    <div className={styles['page']}>
      <PageTitle title="回收站" aside="30 天后自动清除" />
      {query.isPending ? <ListSkeleton rows={3} /> : null}
      {query.isLoadingError ? <EmptyState title="列表没有加载出来" hint={errorText(query.error)} /> : null}
      {query.data?.total === 0 ? (
        <EmptyState title="回收站是空的" hint="删除的数据在这里保留 30 天，可以恢复；用它做的报告仍然能看。" />
      ) : null}
      <ul className={styles['list']}>
        {query.data?.list.map((file) => (
          <li key={file.fid}>
            <FormatIcon format={file.format} />
            <b>{file.name}</b>
            <span className={styles['size']}>
              {formatCount(file.rows)} × {formatCount(file.columns)}
            </span>
            <span className={styles['when']}>
              {file.deleted_at ? `${formatWhen(file.deleted_at)}删除，还有 ${daysLeft(file.deleted_at, now)} 天` : ''}
            </span>
            <Button
              size="small"
              loading={restore.isPending && restore.variables.fid === file.fid}
              onClick={() => restore.mutate(file)}
            >
              恢复
            </Button>
            <Button size="small" danger onClick={() => setRemoved(file)}>
              彻底删除
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={removed !== null}
        title="彻底删除"
        text={`“${removed?.name ?? ''}”和它的全部版本会被删除，不能恢复。`}
        act="彻底删除"
        danger
        working={remove.isPending}
        onAct={() => removed && remove.mutate(removed)}
        onClose={() => setRemoved(null)}
      />
    </div>
  );
}
