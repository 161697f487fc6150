/** 常用流程: the saved chains, found and kept in order; one of them is chosen to be run on the data at hand. */
import type { Version } from '@hengxi/server/files/schema';
import { Drawer } from 'antd';
import type { ReactNode } from 'react';
import { useRef, useState } from 'react';

import { useFocusBack, useFocusStays } from '../../ui/focus-back.ts';
import { ApplyRecipe } from './apply-recipe.tsx';
import type { SavedRecipe } from './queries.ts';
import { RecipeListView } from './recipe-list.tsx';

export interface RecipesDrawerProps {
  version: Pick<Version, 'vid' | 'fid' | 'name'>;
  onVersion: (vid: number) => void;
  onClose: () => void;
}

export function RecipesDrawer({ version, onVersion, onClose }: RecipesDrawerProps) {
  const [chosen, setChosen] = useState<SavedRecipe | null>(null);
  const [running, setRunning] = useState(false);
  useFocusBack(true);
  return (
    <Drawer
      open
      title={chosen === null ? '常用流程' : `套用“${chosen.name}”`}
      size="min(640px, 100vw)"
      mask={{ blur: false, closable: !running }}
      keyboard={!running}
      closable={running ? false : { 'aria-label': '关闭' }}
      onClose={onClose}
    >
      <Contents>
        {chosen === null ? (
          <RecipeListView onUse={setChosen} />
        ) : (
          <ApplyRecipe
            recipe={chosen}
            version={version}
            onBack={() => setChosen(null)}
            onRunning={setRunning}
            onDone={(vid) => {
              onClose();
              onVersion(vid);
            }}
          />
        )}
      </Contents>
    </Drawer>
  );
}

/** From the list to what was chosen and back the keys go on in the drawer. */
function Contents({ children }: { children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  useFocusStays(root);
  return <div ref={root}>{children}</div>;
}
