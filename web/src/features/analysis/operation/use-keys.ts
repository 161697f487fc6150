/** Keys of the operation page (ux, keyboard map). */
import { isTyping, useShortcut } from '../../../lib/shortcuts.ts';
import type { Operation } from './store.ts';

export interface Keys {
  operation: Operation;
  onFilter: () => void;
  onDuplicate: () => void;
}

export function useKeys({ operation, onFilter, onDuplicate }: Keys): void {
  useShortcut('Ctrl+Enter', () => void operation.run.run());
  useShortcut('Ctrl+Shift+F', onFilter);
  useShortcut('Ctrl+D', onDuplicate);
  useShortcut('Ctrl+Z', (event) => {
    // In a text field the letters typed are taken back first, as everywhere.
    if (!isTyping(event.target)) operation.undo();
    else document.execCommand('undo');
  });
  useShortcut('Ctrl+Shift+Z', (event) => {
    if (!isTyping(event.target)) operation.redo();
    else document.execCommand('redo');
  });
  useShortcut('Escape', () => {
    // Esc closes what is open first; only then it cancels a run that has not started.
    const open = document.querySelector(
      '.ant-modal-root .ant-modal, .ant-drawer-open, .ant-dropdown:not(.ant-dropdown-hidden)',
    );
    if (open === null && operation.run.machine.going?.state === 'waiting') void operation.run.cancel();
  });
}
