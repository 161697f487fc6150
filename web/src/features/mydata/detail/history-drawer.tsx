/** How this version came to be, step by step; every step names what it changed. */
import type { Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Drawer } from 'antd';
import { useNavigate } from 'react-router';

import { formatInstant } from '../../../lib/format-size.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { stepsQuery } from '../queries.ts';
import styles from './history-drawer.module.css';

export function HistoryDrawer({ version, open, onClose }: { version: Version; open: boolean; onClose: () => void }) {
  const steps = useQuery({ ...stepsQuery(version.vid), enabled: open });
  const navigate = useNavigate();
  return (
    <Drawer open={open} onClose={onClose} title="历史" size={400} closable={{ 'aria-label': '关闭' }}>
      <Loaded query={steps} rows={3}>
        {({ list }) => (
          <ol className={styles['steps']}>
            {list.toReversed().map((step) => (
              <li key={step.step_id} aria-current={step.vid === version.vid ? 'step' : undefined}>
                <p className={styles['title']}>{step.title}</p>
                {step.changes.map((change) => (
                  <p key={change} className={styles['change']}>
                    {change}
                  </p>
                ))}
                {step.note === undefined ? null : <p className={styles['change']}>备注：{step.note}</p>}
                <p className={styles['when']}>
                  {step.author === null ? null : <span>{step.author}</span>}
                  {formatInstant(step.made_at)}
                  {step.vid === version.vid ? (
                    <span>正在看</span>
                  ) : (
                    <Button
                      type="link"
                      size="small"
                      onClick={() => {
                        onClose();
                        void navigate(`/mydata/detail/${step.vid}`);
                      }}
                    >
                      看这一版
                    </Button>
                  )}
                </p>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Drawer>
  );
}
