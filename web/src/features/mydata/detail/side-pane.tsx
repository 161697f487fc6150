/** Right of the grid: one variable when one is chosen, else 数据体检; below them the way on. */
import type { Column, Version } from '@hengxi/server/files/schema';
import { Button } from 'antd';
import { useNavigate } from 'react-router';

import { HealthList } from './health-list.tsx';
import styles from './side-pane.module.css';
import type { TableView } from './use-table-view.ts';
import { VariableCard } from './variable-card.tsx';

interface SidePaneProps {
  version: Version;
  column: Column | null;
  view: TableView;
  onPick: (title: string, condition: string) => void;
  onSelect: (column: string) => void;
  onClose: () => void;
}

export function SidePane({ version, column, view, onPick, onSelect, onClose }: SidePaneProps) {
  const navigate = useNavigate();
  const start = column
    ? `/analysis/index?vid=${version.vid}&columns=${column.id}`
    : `/analysis/index?vid=${version.vid}`;
  return (
    <aside className={styles['pane']} aria-label={column ? '变量卡' : '体检与下一步'}>
      <div className={styles['body']}>
        {column ? (
          <VariableCard version={version} column={column} view={view} onPick={onPick} onClose={onClose} />
        ) : (
          <HealthList version={version} onPick={onPick} onSelect={onSelect} />
        )}
      </div>
      <div className={styles['foot']}>
        <p>修改会生成新版本，原始数据不会被改动。</p>
        <Button type="primary" block onClick={() => void navigate(start)}>
          {column ? '用它分析' : '开始分析'}
        </Button>
      </div>
    </aside>
  );
}
