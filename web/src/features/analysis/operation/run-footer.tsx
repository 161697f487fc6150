/** Foot of the settings: 自动运行, how long it will take, 保存, 运行 (or 取消 and 停止并保留 while it runs). */
import { CaretRightOutlined } from '@ant-design/icons';
import { Button, Switch, Tooltip } from 'antd';

import { isOpen } from '../../../fields/form-context.tsx';
import type { Machine } from './run-state.ts';
import { AUTO_SECONDS, faultsOf, secondsText } from './run-state.ts';
import styles from './run-footer.module.css';

export interface RunFooterProps {
  machine: Machine;
  saving: boolean;
  onAuto: (on: boolean) => void;
  onSave: () => void;
  onRun: () => void;
  onCancel: () => void;
  onStop: () => void;
}

/** Why 运行 cannot be pressed; null when it can. */
export function blockedBy(machine: Machine): string | null {
  if (machine.frozen) return '结果已冻结，解除冻结后才能更新';
  const [first] = faultsOf(machine).filter((fault) => isOpen(fault) || machine.draft?.fields.includes(fault));
  return first?.text ?? null;
}

function timeText({ draft, auto, going }: Machine): string {
  if (draft === null || draft.fields.length > 0) return '';
  const slow = auto && going === null && (draft.seconds === null || draft.seconds > AUTO_SECONDS);
  return slow ? `${secondsText(draft.seconds)}，需手动运行` : secondsText(draft.seconds);
}

export function RunFooter({ machine, saving, onAuto, onSave, onRun, onCancel, onStop }: RunFooterProps) {
  const going = machine.going !== null;
  const blocked = blockedBy(machine);
  return (
    <footer className={styles['foot']}>
      <Switch size="small" id="auto-run" checked={machine.auto} onChange={onAuto} />
      <label htmlFor="auto-run">自动运行</label>
      <span className={styles['time']}>{timeText(machine)}</span>
      {going ? (
        <>
          {machine.going?.state === 'running' && machine.going.progress !== null ? (
            <Button disabled={machine.going.ending !== null} onClick={onStop}>
              停止并保留
            </Button>
          ) : null}
          <Button disabled={machine.going?.ending !== null} onClick={onCancel}>
            取消
          </Button>
        </>
      ) : (
        <>
          <Button loading={saving} onClick={onSave}>
            保存
          </Button>
          <Tooltip title={blocked ?? 'Ctrl+Enter'}>
            {/* Not `disabled`: a disabled button could not say why on focus. */}
            <Button
              type="primary"
              icon={<CaretRightOutlined />}
              aria-disabled={blocked !== null}
              className={blocked === null ? '' : (styles['blocked'] ?? '')}
              onClick={blocked === null ? onRun : undefined}
            >
              运行
            </Button>
          </Tooltip>
        </>
      )}
    </footer>
  );
}
