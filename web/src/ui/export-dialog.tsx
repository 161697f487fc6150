/** The dialog around one export: its formats and lines of choices, the making, the download. It knows no format itself. */
import { Button, Radio } from 'antd';
import { type ReactNode } from 'react';

import type { ExportControl } from '../lib/use-export.ts';
import { CheckMark } from './check-mark.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';
import styles from './export-dialog.module.css';
import { MadeFile, Working } from './export-progress.tsx';

export interface ExportDialogProps<Body> {
  title: string;
  width?: DialogProps['width'];
  control: ExportControl<Body>;
  /** The buttons while one chooses, beside the one that leaves. */
  actions: ReactNode;
  /** While a preview stands: leads back to the choices, in the place of 取消. */
  onReturn?: (() => void) | undefined;
  /** What is told of the finished file beside its name and size. */
  said?: (rows: number) => string;
  /** What can be chosen. */
  children: ReactNode;
  onClose: () => void;
}

export function ExportDialog<Body>(props: ExportDialogProps<Body>) {
  const { title, width, control, actions, onReturn, said, children, onClose } = props;
  const { state, download, back, cancel } = control;
  const close = (): void => {
    cancel();
    onClose();
  };
  const footer: Record<typeof state.at, ReactNode> = {
    choosing: (
      <>
        {onReturn === undefined ? <Button onClick={close}>取消</Button> : <Button onClick={onReturn}>返回修改</Button>}
        {actions}
      </>
    ),
    working: <Button onClick={close}>取消导出</Button>,
    done: (
      <>
        <Button onClick={back}>换一种格式</Button>
        <Button type="primary" onClick={close}>
          完成
        </Button>
      </>
    ),
    failed: (
      <Button type="primary" onClick={back}>
        返回
      </Button>
    ),
  };
  return (
    <Dialog
      open
      title={title}
      width={state.at === 'choosing' ? (width ?? 'choose') : 'choose'}
      onClose={close}
      outsideCloses={state.at !== 'working'}
      footer={footer[state.at]}
    >
      {state.at === 'choosing' ? children : null}
      {state.at === 'working' ? <Working share={state.share} text={state.text} /> : null}
      {state.at === 'done' ? (
        <MadeFile file={state.file} said={said?.(state.file.rows)} onDownload={() => void download(state.runId)} />
      ) : null}
      {state.at === 'failed' ? (
        <p role="alert" className={styles['fault']}>
          <CheckMark state="fail" decorative /> {state.text}
        </p>
      ) : null}
    </Dialog>
  );
}

/** The room in which one chooses. */
export function ExportChoices({ children }: { children: ReactNode }) {
  return <div className={styles['choose']}>{children}</div>;
}

interface ExportFormatsProps<Format extends string> {
  formats: readonly { key: Format; title: string; hint: string }[];
  value: Format;
  onChange: (format: Format) => void;
}

export function ExportFormats<Format extends string>({ formats, value, onChange }: ExportFormatsProps<Format>) {
  return (
    <Radio.Group
      aria-label="格式"
      className={styles['formats']}
      value={value}
      onChange={(event) => {
        const chosen: Format = event.target.value;
        onChange(chosen);
      }}
    >
      {formats.map(({ key, title, hint }) => (
        <Radio key={key} value={key}>
          <span className={styles['choice']}>
            <span className={styles['title']}>{title}</span>
            <span className={styles['hint']}>{hint}</span>
          </span>
        </Radio>
      ))}
    </Radio.Group>
  );
}

/** One option with its name before it. */
export function ExportLine({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles['line']}>
      <span>{title}</span>
      <div>{children}</div>
    </div>
  );
}
