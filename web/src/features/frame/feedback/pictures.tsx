/** Up to four pictures, sent as soon as they are chosen, taken back by a click. */
import { CloseOutlined, PictureOutlined } from '@ant-design/icons';
import { IMAGE_BYTES } from '@hengxi/server/feedback/schema';
import { Button } from 'antd';
import { useEffect, useRef, useState } from 'react';

import { errorText } from '../../../lib/api.ts';
import styles from './feedback.module.css';
import { sendImage } from './queries.ts';

interface Picture {
  id: number;
  name: string;
  url: string;
}

export function Pictures({ most, onChange }: { most: number; onChange: (ids: number[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [pictures, setPictures] = useState<Picture[]>([]);
  const [working, setWorking] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const shown = useRef<Picture[]>([]);
  useEffect(() => {
    shown.current = pictures;
  }, [pictures]);
  useEffect(() => () => shown.current.forEach(({ url }) => URL.revokeObjectURL(url)), []);
  const put = (next: Picture[]) => {
    setPictures(next);
    onChange(next.map(({ id }) => id));
  };
  const take = async (files: File[]) => {
    setFault(null);
    setWorking(true);
    let next = pictures;
    try {
      for (const file of files.slice(0, most - pictures.length)) {
        if (!['image/png', 'image/jpeg'].includes(file.type) || file.size > IMAGE_BYTES) {
          setFault('图片仅支持 PNG、JPG，5 MB 以内');
          continue;
        }
        next = [...next, { id: await sendImage(file), name: file.name, url: URL.createObjectURL(file) }];
        put(next);
      }
    } catch (error) {
      setFault(errorText(error));
    }
    setWorking(false);
  };
  return (
    <div>
      <div className={styles['pictures']}>
        {pictures.map(({ id, name, url }) => (
          <span key={id} className={styles['picture']}>
            <img src={url} alt={name} />
            <button
              type="button"
              aria-label={`去掉 ${name}`}
              onClick={() => put(pictures.filter((one) => one.id !== id))}
            >
              <CloseOutlined aria-hidden />
            </button>
          </span>
        ))}
        {pictures.length < most ? (
          <Button icon={<PictureOutlined aria-hidden />} loading={working} onClick={() => input.current?.click()}>
            添加截图
          </Button>
        ) : null}
        <span className={styles['quiet']}>
          {pictures.length}/{most}，PNG、JPG，每张 5 MB 以内
        </span>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="截图文件"
        accept="image/png,image/jpeg"
        onChange={(event) => {
          void take([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      {fault ? (
        <p className={styles['fault']} role="alert">
          {fault}
        </p>
      ) : null}
    </div>
  );
}
