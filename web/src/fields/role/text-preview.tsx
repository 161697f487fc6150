/** A text column before it is analysed: how long the texts are, what repeats, what is personal, and the first rows. */
import { useQuery } from '@tanstack/react-query';
import type { TextPreview } from '@hengxi/server/files/schema';
import { Button } from 'antd';
import { useState } from 'react';

import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import type { Column } from '../column.ts';
import { useForm } from '../form-context.tsx';
import styles from './text-preview.module.css';

const LANGUAGES = { zh: '中文', en: '英文', mixed: '中英混合' } as const;
const PERSONAL = { phone: '手机号', id: '身份证号', email: '邮箱' } as const;

interface TextPreviewButtonProps {
  column: Column;
  field: string;
}

export function TextPreviewButton({ column, field }: TextPreviewButtonProps) {
  const { previewText } = useForm();
  const [open, setOpen] = useState(false);
  if (previewText === undefined) return null;
  return (
    <div className={styles['open']}>
      <Button size="small" type="link" onClick={() => setOpen(true)}>
        预览文本
      </Button>
      <Dialog open={open} title={`“${column.name}”的文本`} width="wide" onClose={() => setOpen(false)}>
        {open ? <Preview column={column} field={field} load={previewText} onMask={() => setOpen(false)} /> : null}
      </Dialog>
    </div>
  );
}

interface PreviewProps extends TextPreviewButtonProps {
  load: (column: string) => Promise<TextPreview>;
  onMask: () => void;
}

function Preview({ column, field, load, onMask }: PreviewProps) {
  const query = useQuery({ queryKey: ['text-preview', column.id, load], queryFn: () => load(column.id), staleTime: 0 });
  return (
    <Loaded query={query}>
      {(preview) => (
        <>
          <Facts preview={preview} />
          <Personal preview={preview} column={column} field={field} onMask={onMask} />
          <FirstRows preview={preview} />
        </>
      )}
    </Loaded>
  );
}

function Facts({ preview }: { preview: TextPreview }) {
  const { total, read, empty, mean_len, max_len, language, duplicates } = preview;
  const facts: [string, string][] = [
    ['行数', total.toLocaleString('zh-CN')],
    ['空行', empty.toLocaleString('zh-CN')],
    ['重复的行', duplicates.toLocaleString('zh-CN')],
    ['平均字数', mean_len === null ? '—' : mean_len.toFixed(1)],
    ['最长', max_len === null ? '—' : `${max_len.toLocaleString('zh-CN')} 字`],
    ['语言', language === null ? '—' : LANGUAGES[language]],
  ];
  return (
    <>
      <dl className={styles['facts']}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {read < total ? <p className={styles['note']}>数目按前 {read.toLocaleString('zh-CN')} 行计算。</p> : null}
    </>
  );
}

interface PersonalProps extends TextPreviewButtonProps {
  preview: TextPreview;
  onMask: () => void;
}

function Personal({ preview, column, field, onMask }: PersonalProps) {
  const { remedy, offers, readOnly } = useForm();
  const kinds = (['phone', 'id', 'email'] as const).filter((kind) => preview.pii[kind] > 0);
  if (kinds.length === 0) return null;
  const text = `发现${kinds.map((kind) => `${preview.pii[kind].toLocaleString('zh-CN')}行疑似${PERSONAL[kind]}`).join('、')}，建议先脱敏。`;
  const masking = { title: '去脱敏', step: preview.masking ?? '', columns: [column.id] };
  return (
    <p className={styles['personal']} role="note">
      {text}
      {!readOnly && offers(masking) ? (
        <Button
          size="small"
          type="link"
          onClick={() => {
            onMask();
            remedy(masking, { field, code: 'data.personal', text, remedies: [] });
          }}
        >
          去脱敏
        </Button>
      ) : null}
    </p>
  );
}

function FirstRows({ preview }: { preview: TextPreview }) {
  if (preview.rows.length === 0) return <p className={styles['note']}>这一列没有文本。</p>;
  return (
    <table className={styles['rows']}>
      <caption>有文本的前 {preview.rows.length} 行</caption>
      <thead>
        <tr>
          <th scope="col">行</th>
          <th scope="col">文本</th>
        </tr>
      </thead>
      <tbody>
        {preview.rows.map(({ row, text }) => (
          <tr key={row}>
            <td>{row}</td>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
