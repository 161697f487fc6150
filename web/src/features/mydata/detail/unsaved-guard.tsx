/** Leaving with unsaved changes asks first, inside the product and at the tab. */
import { useEffect } from 'react';
import { useBlocker } from 'react-router';

import { ConfirmDialog } from '../../../ui/dialog.tsx';

export function UnsavedGuard({ cells, variables }: { cells: boolean; variables: boolean }) {
  const dirty = cells || variables;
  const what = [cells ? '单元格' : '', variables ? '变量' : ''].filter(Boolean).join('和');
  // What is chosen and looked at stands in the address too; only another page or version leaves the changes behind.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => dirty && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [dirty]);
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title={`${what}的改动还没有保存`}
      text="离开后这些改动会丢失。"
      act="离开"
      danger
      cancel="留下"
      onAct={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    />
  );
}
