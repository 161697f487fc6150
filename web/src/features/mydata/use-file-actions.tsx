/** What can be done to a file from its row: rename, export, and into the bin with a way back. */
import type { FileRow } from '@hengxi/server/files/schema';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { toast } from '../../lib/toast.ts';
import { RenameDialog } from '../../ui/rename-dialog.tsx';
import { VersionExportDialog } from './export/export-dialog.tsx';
import type { FileActions } from './file-table.tsx';
import { binFile, refreshFiles, renameFile, restoreFile } from './queries.ts';

export function useFileActions(): { actions: FileActions; dialogs: ReactNode } {
  const [renamed, setRenamed] = useState<FileRow | null>(null);
  const [exported, setExported] = useState<FileRow | null>(null);
  const rename = useMutation({
    mutationFn: ({ fid, name }: { fid: number; name: string }) => renameFile(fid, name),
    onSuccess: async () => {
      setRenamed(null);
      await refreshFiles();
    },
  });
  const restore = useMutation({ mutationFn: restoreFile, onSuccess: refreshFiles });
  const bin = useMutation({
    mutationFn: (file: FileRow) => binFile(file.fid),
    onSuccess: async (_, file) => {
      await refreshFiles();
      toast.done(`“${file.name}”已移到回收站`, {
        action: { text: '撤销', run: () => restore.mutate(file.fid) },
      });
    },
  });
  const dialogs = (
    <>
      <RenameDialog
        open={renamed !== null}
        value={renamed?.name ?? ''}
        working={rename.isPending}
        onSave={(name) => renamed && rename.mutate({ fid: renamed.fid, name })}
        onClose={() => setRenamed(null)}
      />
      {exported ? <VersionExportDialog vid={exported.vid} onClose={() => setExported(null)} /> : null}
    </>
  );
  return { actions: { onRename: setRenamed, onExport: setExported, onBin: (file) => bin.mutate(file) }, dialogs };
}
