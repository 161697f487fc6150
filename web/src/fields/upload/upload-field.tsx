/** A picture the user brings (contract: upload): chosen, dropped or by keyboard; the server looks at what it really is. */
import type { UploadField as Declaration } from '@hengxi/contracts/contract';
import { Button } from 'antd';
import { useEffect, useRef, useState } from 'react';

import { addressOf, authorization, errorText } from '../../lib/api.ts';
import { pictureAddress, sendPicture } from '../../lib/texts.ts';
import { isRecord } from '../form.ts';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow, titleId } from '../parts.tsx';
import styles from './upload-field.module.css';

const fileOf = (value: unknown): string | null => {
  const id = isRecord(value) ? value['file_id'] : null;
  return typeof id === 'string' ? id : null;
};

export function UploadField({ field, value }: FieldProps<Declaration>) {
  const { set, readOnly } = useForm();
  const chooser = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<'idle' | 'sending' | 'over'>('idle');
  const [trouble, setTrouble] = useState('');
  const fileId = fileOf(value);
  const most = `${Math.round(field.most / 2 ** 20)} MB`;
  const send = async (file: File | undefined): Promise<void> => {
    if (file === undefined || readOnly) return;
    if (file.size > field.most) {
      setTrouble(`图片有 ${(file.size / 2 ** 20).toFixed(1)} MB，最多 ${most}`);
      return;
    }
    setState('sending');
    try {
      const { file_id } = await sendPicture(file);
      setTrouble('');
      set(field.key, { file_id }, { text: `${field.title}：上传图片` });
    } catch (error) {
      setTrouble(errorText(error));
    } finally {
      setState('idle');
      if (chooser.current !== null) chooser.current.value = '';
    }
  };
  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint} stacked>
      <div
        className={[styles['drop'], state === 'over' ? styles['over'] : ''].join(' ')}
        onDragOver={(event) => {
          event.preventDefault();
          if (!readOnly) setState('over');
        }}
        onDragLeave={() => setState('idle')}
        onDrop={(event) => {
          event.preventDefault();
          void send(event.dataTransfer.files[0]);
        }}
      >
        {fileId === null ? null : <Preview key={fileId} fileId={fileId} />}
        <input
          ref={chooser}
          type="file"
          hidden
          data-testid={`file-${field.key}`}
          accept={field.types.map((type) => (type === 'png' ? 'image/png' : 'image/jpeg')).join(',')}
          onChange={(event) => void send(event.target.files?.[0])}
        />
        <div className={styles['side']}>
          <Button
            aria-labelledby={`${titleId(field.key)} ${field.key}-choose`}
            disabled={readOnly}
            loading={state === 'sending'}
            onClick={() => chooser.current?.click()}
          >
            <span id={`${field.key}-choose`}>{fileId === null ? '选择图片' : '换一张'}</span>
          </Button>
          {fileId === null || readOnly ? null : (
            <Button type="text" onClick={() => set(field.key, null, { text: `${field.title}：移除图片` })}>
              移除
            </Button>
          )}
          <span className={styles['note']}>
            {field.types.map((type) => type.toUpperCase()).join('、')}，不超过 {most}；词放在深色部分
          </span>
        </div>
      </div>
      {trouble === '' ? null : (
        <p role="alert" className={styles['trouble']}>
          {trouble}
        </p>
      )}
    </FieldRow>
  );
}

/** The picture as the server keeps it; asked for with the token, which an address in the page cannot carry. */
function Preview({ fileId }: { fileId: string }) {
  const [source, setSource] = useState<string | null>(null);
  const [gone, setGone] = useState(false);
  useEffect(() => {
    let made: string | null = null;
    const asking = new AbortController();
    const load = async (): Promise<void> => {
      const answer = await fetch(addressOf(pictureAddress(fileId)), {
        headers: authorization(),
        signal: asking.signal,
      });
      if (!answer.ok) throw new Error(String(answer.status));
      made = URL.createObjectURL(await answer.blob());
      setSource(made);
    };
    load().catch(() => {
      if (!asking.signal.aborted) setGone(true);
    });
    return () => {
      asking.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [fileId]);
  if (gone) return <span className={styles['note']}>图片读不到，请重新上传</span>;
  return source === null ? null : <img className={styles['picture']} src={source} alt="已上传的图片" />;
}
