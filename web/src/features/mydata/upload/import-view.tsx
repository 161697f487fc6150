/** One file before it becomes a table: how it is read (识别条), its first rows, what is doubtful, and one button. */
import { LeftOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useEffect, useRef, useState } from 'react';

import { formatBytes, formatCount } from '../../../lib/format-size.ts';
import { CheckMark } from '../../../ui/check-mark.tsx';
import { ListSkeleton } from '../../../ui/skeleton.tsx';
import { previewQuery } from '../queries.ts';
import { CatalogueBar, DataSetButton } from './catalogue-bar.tsx';
import { isLabelled } from './catalogues.ts';
import styles from './import-view.module.css';
import { PreviewTable } from './preview-table.tsx';
import { QuestionList } from './question-list.tsx';
import { faultOf, type ImportFault, isPassing, wasKilled } from './questions.ts';
import { ReadingBar } from './reading-bar.tsx';
import type { UploadItem } from './upload-item.ts';
import { Progress, statusText } from './upload-row.tsx';
import {
  answerQuestions,
  cancelUpload,
  canResend,
  changeSettings,
  retrySending,
  setPassword,
  startImport,
} from './uploads.ts';

/** Text can be looked at as soon as its beginning has arrived; a workbook only when it is whole. */
function isText(name: string): boolean {
  return /\.(csv|tsv|txt)$/i.test(name);
}

interface ImportViewProps {
  item: UploadItem;
  onClose: () => void;
  /** Another file took the place of this one. */
  onReplaced: (id: number | null) => void;
}

export function ImportView({ item, onClose, onReplaced }: ImportViewProps) {
  const whole = item.sent >= item.size;
  const ready = item.uploadId !== null && item.sent > 0 && (whole || isText(item.name));
  const preview = useQuery({
    ...previewQuery({
      uploadId: item.uploadId ?? 0,
      settings: item.settings,
      password: item.password,
      catalogue: item.catalogue?.uploadId ?? null,
      whole,
    }),
    enabled: ready,
  });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const fault = item.fault ?? (preview.error ? faultOf(preview.error) : null);
  const change = (set: Record<string, unknown>) => changeSettings(item.id, { ...item.settings, ...set });

  return (
    <div className={styles['page']}>
      <div className={styles['head']}>
        <Button type="text" icon={<LeftOutlined aria-hidden />} onClick={onClose}>
          我的数据
        </Button>
        <h1 ref={heading} tabIndex={-1} className={styles['title']}>
          导入“{item.name}”
        </h1>
        <span className={styles['size']}>{formatBytes(item.size)}</span>
      </div>
      {/* What failed is told below, with its ways out. */}
      {whole || item.state === 'failed' ? null : (
        <div className={styles['sending']}>
          <Progress item={item} />
          <span>{statusText(item)}</span>
        </div>
      )}
      {fault ? (
        <Fault item={item} fault={fault} onChange={change} onReplaced={onReplaced} onAgain={againOf(item, preview)} />
      ) : null}
      {preview.data ? <ReadingBar preview={preview.data} onChange={change} /> : null}
      {!isLabelled(item) && !fault && preview.data?.notes?.length ? (
        <p className={styles['said']} role="note">
          {preview.data.notes.join('')}
        </p>
      ) : null}
      {isLabelled(item) ? <CatalogueBar item={item} notes={fault ? [] : (preview.data?.notes ?? [])} /> : null}
      {item.state === 'asking' ? (
        <QuestionList
          questions={item.questions}
          onCancel={() => cancelUpload(item.id)}
          onAnswer={(answers) => void answerQuestions(item.id, answers)}
        />
      ) : null}
      {/* Refused: there is nothing to look at. */}
      <div className={styles['table']} aria-busy={preview.isFetching} hidden={fault !== null && !preview.data}>
        {preview.data ? <PreviewTable preview={preview.data} dimmed={preview.isPlaceholderData} /> : null}
        {preview.isPending && !fault ? (
          ready ? (
            <ListSkeleton rows={8} />
          ) : (
            <p className={styles['wait']}>传完后就能预览；文本文件传到一部分就可以看。</p>
          )
        ) : null}
      </div>
      {item.state === 'asking' ? null : (
        <Foot
          item={item}
          whole={whole}
          blocked={fault !== null}
          rows={preview.data ? preview.data.total_rows : undefined}
        />
      )}
    </div>
  );
}

/** What may succeed when it is tried once more: the look at the file, or reading it. */
function againOf(item: UploadItem, preview: { error: Error | null; refetch: () => unknown }): (() => void) | null {
  if (item.fault === null) return isPassing(preview.error) ? () => void preview.refetch() : null;
  return wasKilled(item.fault) ? () => void startImport(item.id) : null;
}

interface FootProps {
  item: UploadItem;
  whole: boolean;
  blocked: boolean;
  /** null: not counted yet; undefined: nothing is shown yet. */
  rows: number | null | undefined;
}

function Foot({ item, whole, blocked, rows }: FootProps) {
  const importing = item.state === 'importing';
  const isEmpty = whole && rows === 0;
  const isRefused = item.state === 'failed' && !whole;
  const go = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (whole) go.current?.focus({ preventScroll: true });
  }, [whole]);
  return (
    <div className={styles['foot']}>
      <span className={styles['note']} role="status">
        {importing
          ? item.step
          : isEmpty
            ? '表头下面没有数据。请在“表头”里换一行，或换一个文件。'
            : isRefused
              ? ''
              : `${rowsText(rows)}原始文件不会被改动。`}
      </span>
      <Button onClick={() => cancelUpload(item.id)}>{isRefused ? '换一个文件' : '取消导入'}</Button>
      {isRefused ? null : (
        <Button
          ref={go}
          type="primary"
          loading={importing || (item.auto && item.state !== 'failed')}
          disabled={(blocked || isEmpty) && item.state !== 'failed'}
          onClick={() => void startImport(item.id)}
        >
          {item.state === 'failed' ? '重新导入' : whole ? '导入' : '传完后导入'}
        </Button>
      )}
    </div>
  );
}

const SHOWN_ROWS = 50;

function rowsText(rows: number | null | undefined): string {
  if (rows === undefined) return '';
  if (rows === null) return `上面是前 ${SHOWN_ROWS} 行。`;
  return rows <= SHOWN_ROWS ? `共 ${rows} 行，都在上面。` : `共 ${formatCount(rows)} 行，上面是前 ${SHOWN_ROWS} 行。`;
}

interface FaultProps {
  item: UploadItem;
  fault: ImportFault;
  onChange: (set: Record<string, unknown>) => void;
  onReplaced: (id: number | null) => void;
  /** Where the same look may succeed later. */
  onAgain: (() => void) | null;
}

/** What is wrong, where, and the ways out as buttons. */
function Fault({ item, fault, onChange, onReplaced, onAgain }: FaultProps) {
  const locked = /password|encrypted|locked/.test(fault.code) || fault.code === '30033' || fault.text.includes('密码');
  return (
    <div className={styles['fault']} role="alert">
      <CheckMark state="fail" />
      <div>
        <p>{fault.text}</p>
        <div className={styles['remedies']}>
          {locked ? <Password onEnter={(password) => setPassword(item.id, password)} /> : null}
          {fault.remedies.map((remedy) => (
            <Button
              key={remedy.title}
              size="small"
              onClick={() => {
                onChange(remedy.set);
                // The file was on its way in when this came up: the click is the answer, not one more setting.
                if (item.state === 'failed') void startImport(item.id);
              }}
            >
              {remedy.title}
            </Button>
          ))}
          {fault.code === 'sas7bcat.alone' ? <DataSetButton item={item} onAdded={onReplaced} /> : null}
          {onAgain ? (
            <Button size="small" onClick={onAgain}>
              重试
            </Button>
          ) : null}
          {canResend(item) ? (
            <Button size="small" onClick={() => retrySending(item.id)}>
              {item.sent > 0 ? '继续上传' : '重试'}
            </Button>
          ) : null}
        </div>
      </div>
    </div>
  );
}

function Password({ onEnter }: { onEnter: (password: string) => void }) {
  const [text, setText] = useState('');
  return (
    <form
      className={styles['password']}
      onSubmit={(event) => {
        event.preventDefault();
        if (text) onEnter(text);
      }}
    >
      <Input.Password
        size="small"
        aria-label="打开密码"
        placeholder="打开密码"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button size="small" htmlType="submit" disabled={text === ''}>
        打开
      </Button>
    </form>
  );
}
