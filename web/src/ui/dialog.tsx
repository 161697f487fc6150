/** The four dialog widths of the product and what they share: Esc closes, focus returns, only the body scrolls. */
import { Button, Modal } from 'antd';
import type { ReactNode } from 'react';

import { useFocusBack } from './focus-back.ts';

export const DIALOG_WIDTH = { confirm: 374, form: 420, choose: 520, wide: 800 } as const;

export interface DialogProps {
  open: boolean;
  title: ReactNode;
  width: keyof typeof DIALOG_WIDTH;
  children: ReactNode;
  onClose: () => void;
  /** Buttons, primary last; null for none. */
  footer?: ReactNode;
  /** False where a click outside must not throw away what was entered (bind phone). */
  outsideCloses?: boolean;
  closable?: boolean;
}

export function Dialog(props: DialogProps) {
  const { open, title, width, children, onClose, footer = null, outsideCloses = true, closable = true } = props;
  useFocusBack(open);
  return (
    <Modal
      open={open}
      title={title}
      width={DIALOG_WIDTH[width]}
      onCancel={onClose}
      footer={footer}
      mask={{ closable: outsideCloses, blur: false }}
      closable={closable ? { 'aria-label': '关闭' } : false}
      centered
      destroyOnHidden
      styles={{ body: { maxHeight: 'calc(90vh - 120px)', overflowY: 'auto' } }}
    >
      {children}
    </Modal>
  );
}

export interface ConfirmProps {
  open: boolean;
  title: string;
  text: ReactNode;
  /** The verb on the primary button. */
  act: string;
  danger?: boolean;
  working?: boolean;
  /** The other button; null leaves one button only. */
  cancel?: string | null;
  onAct: () => void;
  onClose: () => void;
}

/** A question with one way on, 374 px. */
export function ConfirmDialog(props: ConfirmProps) {
  const { open, title, text, act, danger = false, working = false, cancel = '取消', onAct, onClose } = props;
  return (
    <Dialog
      open={open}
      title={title}
      width="confirm"
      onClose={onClose}
      footer={
        <>
          {cancel ? <Button onClick={onClose}>{cancel}</Button> : null}
          <Button type="primary" danger={danger} loading={working} onClick={onAct}>
            {act}
          </Button>
        </>
      }
    >
      {text}
    </Dialog>
  );
}
