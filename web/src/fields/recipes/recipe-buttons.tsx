/** 保存为常用流程 and 套用常用流程, at the foot of the list of steps. */
import type { StepRow, Version } from '@hengxi/server/files/schema';
import { Button } from 'antd';
import { useState } from 'react';

import { RecipesDrawer } from './recipes-drawer.tsx';
import { SaveDialog } from './save-dialog.tsx';

export interface RecipeButtonsProps {
  version: Pick<Version, 'vid' | 'fid' | 'name'>;
  /** Those after the import. */
  steps: readonly StepRow[];
  busy: boolean;
  onVersion: (vid: number) => void;
}

export function RecipeButtons({ version, steps, busy, onVersion }: RecipeButtonsProps) {
  const [open, setOpen] = useState<'save' | 'use' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      {steps.length > 0 ? (
        <Button size="small" disabled={busy} onClick={() => setOpen('save')}>
          保存为常用流程
        </Button>
      ) : null}
      <Button size="small" disabled={busy} onClick={() => setOpen('use')}>
        套用常用流程
      </Button>
      {open === 'save' ? <SaveDialog version={version} steps={steps} onClose={close} /> : null}
      {open === 'use' ? <RecipesDrawer version={version} onVersion={onVersion} onClose={close} /> : null}
    </>
  );
}
