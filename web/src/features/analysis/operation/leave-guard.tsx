/** Leaving with something unsaved asks; leaving while a script runs is not possible (specification, dialogs). */
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';

import { isRecord } from '../../../fields/form.ts';
import { toast } from '../../../lib/toast.ts';
import { Dialog } from '../../../ui/dialog.tsx';

export const LEAVE_TEXT = '当前算法未保存，是否保存后继续？';
export const SCRIPT_TEXT = '脚本正在运行，无法离开此页面';

export interface LeaveGuardProps {
  needSave: boolean;
  /** A custom script is running: nothing may interrupt it. */
  scriptRunning?: boolean;
  /** Resolves when what could be saved has been. */
  onSave: () => Promise<void>;
  onDiscard: () => void;
}

export function LeaveGuard({ needSave, scriptRunning = false, onSave, onDiscard }: LeaveGuardProps) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    // The address following its analysis is no leaving, and what is handed over is not lost.
    const stays =
      isRecord(nextLocation.state) && (nextLocation.state['inPlace'] === true || 'carry' in nextLocation.state);
    return (needSave || scriptRunning) && !stays && currentLocation.pathname !== nextLocation.pathname;
  });
  const [saving, setSaving] = useState(false);
  const blocked = blocker.state === 'blocked';
  useEffect(() => {
    if (!blocked || !scriptRunning) return;
    toast.warn(SCRIPT_TEXT);
    blocker.reset();
  }, [blocked, scriptRunning, blocker]);
  const save = async (): Promise<void> => {
    setSaving(true);
    await onSave();
    setSaving(false);
    blocker.proceed?.();
  };
  return (
    <Dialog
      open={blocked && !scriptRunning}
      title="提示"
      width="confirm"
      onClose={() => blocker.reset?.()}
      footer={
        <>
          <Button
            onClick={() => {
              onDiscard();
              blocker.proceed?.();
            }}
          >
            不保存
          </Button>
          <Button type="primary" loading={saving} onClick={() => void save()}>
            保存
          </Button>
        </>
      }
    >
      {LEAVE_TEXT}
    </Dialog>
  );
}
