/** 历史: each computation of the report; a click looks at it without changing anything, 恢复 shows it again as the report. */
import { date } from '@hengxi/contracts/format';
import { Button, Drawer } from 'antd';
import { Link } from 'react-router';

import styles from './history-drawer.module.css';
import type { OpenReport, Place } from './queries.ts';

export interface HistoryDrawerProps {
  open: boolean;
  report: OpenReport;
  place: Place;
  onClose: () => void;
  onRestore: (rev: number) => void;
}

export function HistoryDrawer({ open, report, place, onClose, onRestore }: HistoryDrawerProps) {
  const list = report.history.toSorted((a, b) => b.rev - a.rev);
  const url = (rev: number): string =>
    `/analysis/result/${report.vid ?? 0}?project_id=${place.project_id}&report_id=${place.report_id}&rev=${rev}`;
  return (
    <Drawer title="历史" size={360} open={open} onClose={onClose}>
      <ol className={styles['list']}>
        {list.map((revision) => (
          <li
            key={revision.rev}
            className={styles['line']}
            aria-current={revision.rev === report.rev ? 'true' : undefined}
          >
            <div className={styles['what']}>
              <Link to={url(revision.rev)} replace>
                第 {revision.rev} 次
              </Link>
              <span className={styles['when']}>{date(revision.made_at, true)}</span>
              <span className={styles['when']}>
                {revision.rev === report.rev ? '正在看' : revision.key === report.key ? '与现在看的相同' : ''}
              </span>
            </div>
            {revision.rev === list[0]?.rev ? (
              <span className={styles['when']}>最新</span>
            ) : (
              <Button
                size="small"
                onClick={() => {
                  onRestore(revision.rev);
                  onClose();
                }}
              >
                恢复到此处
              </Button>
            )}
          </li>
        ))}
      </ol>
      <p className={styles['hint']}>每次重新计算都会留下一次结果，恢复不会丢掉之后的结果。</p>
    </Drawer>
  );
}
