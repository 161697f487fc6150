/** On which data the steps shall run once more: usually the next upload of the same questionnaire. */
import type { FileRow } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Select } from 'antd';
import { useState } from 'react';

import { findableFilesQuery } from '../../lib/catalogue.ts';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './steps-rail.module.css';

export interface ReplayDialogProps {
  fid: number;
  onChoose: (file: FileRow) => void;
  onClose: () => void;
}

export function ReplayDialog({ fid, onChoose, onClose }: ReplayDialogProps) {
  const files = useQuery(findableFilesQuery);
  const [chosen, setChosen] = useState<number | null>(null);
  const others = (files.data?.list ?? []).filter((file) => file.fid !== fid);
  const file = others.find((one) => one.fid === chosen);
  return (
    <Dialog
      open
      title="在另一份数据上重放步骤"
      width="form"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" disabled={file === undefined} onClick={() => file !== undefined && onChoose(file)}>
            重放
          </Button>
        </>
      }
    >
      <p className={styles['note']}>变量按名称对应。对不上的步骤会说明原因，那时什么都不会改动。</p>
      <Select
        className={styles['select'] ?? ''}
        aria-label="选择数据"
        placeholder={others.length === 0 ? '还没有别的数据，请先上传' : '选择数据'}
        showSearch={{ optionFilterProp: 'label' }}
        value={chosen}
        onChange={setChosen}
        options={others.map((one) => ({ value: one.fid, label: one.name }))}
      />
    </Dialog>
  );
}
