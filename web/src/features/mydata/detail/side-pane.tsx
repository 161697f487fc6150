/** Right of the grid: one variable when one is chosen, else 数据体检 or the steps; below them the ways on. */
import type { Column, StepRow, Version } from '@hengxi/server/files/schema';
import { Button, Segmented } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { StepsRail } from '../../../fields/steps/steps-rail.tsx';
import { HealthList } from './health-list.tsx';
import styles from './side-pane.module.css';
import type { Picked, TableView } from './use-table-view.ts';
import { VariableCard } from './variable-card.tsx';

/** Below this the pane is drawn out by a button. */
export const SIDE_PANE_HIDDEN = '(max-width: 1100px)';

interface SidePaneProps {
  version: Version;
  column: Column | null;
  view: TableView;
  onPick: (picked: Picked) => void;
  onSelect: (column: string) => void;
  onClose: () => void;
  /** Fills a drawer instead of standing beside the table. */
  drawn?: boolean;
}

type Shown = 'health' | 'steps';
/** Which of the two stays chosen from version to version: a changed step shows the next version. */
let lastShown: Shown = 'health';

export function SidePane({ version, column, view, onPick, onSelect, onClose, drawn = false }: SidePaneProps) {
  const navigate = useNavigate();
  const [shown, setShown] = useState<Shown>(lastShown);
  const show = (next: Shown): void => {
    lastShown = next;
    setShown(next);
  };
  const edit = (step: StepRow, on: number): void => {
    const method = String(step.params['path']);
    void navigate(`/dataprocessing/dispose/${on}?method=${method}&step=${step.step_id}&of=${version.vid}`);
  };
  const start = column
    ? `/analysis/index?vid=${version.vid}&columns=${column.id}`
    : `/analysis/index?vid=${version.vid}`;
  return (
    <aside
      className={styles['pane']}
      data-drawn={drawn ? '' : undefined}
      aria-label={column ? '变量卡' : '体检与下一步'}
    >
      <div className={styles['body']}>
        {column ? (
          <VariableCard version={version} column={column} view={view} onPick={onPick} onClose={onClose} />
        ) : (
          <>
            <Segmented
              block
              className={styles['switch'] ?? ''}
              aria-label="体检或步骤"
              options={[
                { value: 'health', label: '数据体检' },
                { value: 'steps', label: '步骤' },
              ]}
              value={shown}
              onChange={show}
            />
            {shown === 'health' ? (
              <HealthList version={version} onPick={onPick} onSelect={onSelect} />
            ) : (
              <StepsRail version={version} onVersion={(vid) => void navigate(`/mydata/detail/${vid}`)} onEdit={edit} />
            )}
          </>
        )}
      </div>
      <div className={styles['foot']}>
        <p>修改会生成新版本，原始数据不会被改动。</p>
        <Button type="primary" block onClick={() => void navigate(start)}>
          {column ? '用它分析' : '开始分析'}
        </Button>
        <Button
          block
          className={styles['process'] ?? ''}
          onClick={() =>
            void navigate(`/dataprocessing/index?vid=${version.vid}${column ? `&columns=${column.id}` : ''}`)
          }
        >
          {column ? '处理这个变量' : '处理数据'}
        </Button>
      </div>
    </aside>
  );
}
