/** The value labels of a SAS data set: a second file, added before the import or with it. */
import { PlusOutlined } from '@ant-design/icons';
import { CATALOGUE_FORMAT, LABELLED_FORMATS } from '@hengxi/contracts/upload-formats';
import { Button } from 'antd';

import { CheckMark } from '../../../ui/check-mark.tsx';
import styles from './catalogue-bar.module.css';
import { Picker } from './picker.tsx';
import type { UploadItem } from './upload-item.ts';
import { addCatalogue, completeCatalogue, removeCatalogue } from './uploads.ts';

export function CatalogueBar({ item, notes }: { item: UploadItem; notes: readonly string[] }) {
  const { catalogue } = item;
  const busy = item.state === 'importing';
  return (
    <section aria-label="值标签目录" className={styles['bar']}>
      <div className={styles['line']}>
        <span className={styles['what']}>值标签目录</span>
        {catalogue ? (
          <>
            <b className={styles['name']}>{catalogue.file.name}</b>
            {catalogue.uploadId === null && !catalogue.fault ? <span role="status">正在上传</span> : null}
            {catalogue.fault ? (
              <span role="alert" className={styles['fault']}>
                <CheckMark state="fail" decorative /> {catalogue.fault.text}
              </span>
            ) : null}
            {catalogue.fault ? (
              <Button size="small" onClick={() => void addCatalogue(item.id, catalogue.file)}>
                重试
              </Button>
            ) : null}
            <Button size="small" type="text" disabled={busy} onClick={() => removeCatalogue(item.id)}>
              移除
            </Button>
          </>
        ) : (
          <Picker
            accept={[CATALOGUE_FORMAT]}
            label="选择值标签目录"
            disabled={busy}
            icon={<PlusOutlined aria-hidden />}
            onPick={(file) => void addCatalogue(item.id, file)}
          >
            添加 .{CATALOGUE_FORMAT}
          </Picker>
        )}
      </div>
      <div role="status">
        {notes.map((note) => (
          <p key={note} className={styles['note']}>
            {note}
          </p>
        ))}
      </div>
    </section>
  );
}

interface DataSetButtonProps {
  item: UploadItem;
  onAdded: (id: number | null) => void;
}

/** A catalogue came alone: the data set it belongs to is picked, and both are read together. */
export function DataSetButton({ item, onAdded }: DataSetButtonProps) {
  return (
    <Picker
      accept={LABELLED_FORMATS}
      label="选择 SAS 数据集"
      onPick={(file) => {
        const id = completeCatalogue(item.id, file);
        if (id !== null) onAdded(id);
      }}
    >
      选择数据文件
    </Picker>
  );
}
