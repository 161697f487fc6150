/** A SAS data set that was imported without its value labels gets them from the catalogue: one step, a new version. */
import { CATALOGUE_FORMAT } from '@hengxi/contracts/upload-formats';
import type { Version } from '@hengxi/server/files/schema';
import { PlusOutlined } from '@ant-design/icons';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';

import { toast } from '../../../lib/toast.ts';
import { editByCatalogue, refreshFiles } from '../queries.ts';
import { forgetCatalogue, sendCatalogue } from '../upload/catalogues.ts';
import { Picker } from '../upload/picker.tsx';

export function AddCatalogue({ version }: { version: Version }) {
  const navigate = useNavigate();
  const add = useMutation({
    mutationFn: async (file: File) => {
      try {
        const { uploadId, fault } = await sendCatalogue(file);
        if (uploadId === null) throw new Error(fault?.text ?? '目录没有传上来，请重试');
        return await editByCatalogue(version.vid, uploadId);
      } finally {
        forgetCatalogue(file);
      }
    },
    onSuccess: async ({ vid, warnings }) => {
      await refreshFiles();
      const done = vid === version.vid ? '取值标签没有变化' : '已加上取值标签，存为新版本';
      toast.done([done, ...warnings].join('；'));
      if (vid !== version.vid) void navigate(`/mydata/detail/${vid}?tab=variables`);
    },
  });
  return (
    <>
      <Picker
        accept={[CATALOGUE_FORMAT]}
        label="选择值标签目录"
        disabled={add.isPending || version.locked}
        icon={<PlusOutlined aria-hidden />}
        onPick={(file) => add.mutate(file)}
      >
        {add.isPending ? '正在加上标签' : `添加 .${CATALOGUE_FORMAT}`}
      </Picker>
      {add.error === null ? null : <span role="alert">{add.error.message}</span>}
    </>
  );
}
