/** Said before anything is set up: the table has more rows than an analysis of this edition takes, and what to do here. */
import type { Version } from '@hengxi/server/files/schema';
import { DownOutlined, WarningOutlined } from '@ant-design/icons';
import { integer } from '@hengxi/contracts/format';
import { useState } from 'react';

import { prompts } from '../lib/prompts.ts';
import { toast } from '../lib/toast.ts';
import { DropMenu } from '../ui/drop-menu.tsx';
import styles from './row-limit.module.css';
import { finished, refreshVersions, runMethod } from './steps/queries.ts';

const FILTER_STEP = 'data_processing/filter';
/** Every row satisfies it: the step then only draws. */
const EVERY_ROW = '1 = 1';

/** A new version with so many rows drawn at random; null where it was refused, which has been said. */
async function drawRows(vid: number, rows: number): Promise<number | null> {
  const form = { condition: EVERY_ROW, filter_type: 'keep', take: 'random', take_value: rows };
  const outcome = await finished(runMethod(FILTER_STEP, vid, form), { signal: new AbortController().signal });
  if (outcome.kind === 'failed') {
    toast.warn(outcome.text);
    return null;
  }
  await refreshVersions();
  return outcome.vid;
}

export interface RowLimitProps {
  version: Pick<Version, 'vid' | 'rows' | 'rows_limit'>;
  /** Rows that the filter in force leaves; null: there is none. */
  kept: number | null;
  onFilter: () => void;
  /** Goes on with the version that was drawn. */
  onVersion: (vid: number) => void;
}

export function RowLimit({ version, kept, onFilter, onVersion }: RowLimitProps) {
  const [drawing, setDrawing] = useState(false);
  const limit = version.rows_limit;
  const rows = kept ?? version.rows;
  if (limit === null || rows <= limit) return null;
  const draw = async (): Promise<void> => {
    setDrawing(true);
    try {
      const vid = await drawRows(version.vid, limit);
      if (vid !== null) {
        onVersion(vid);
        toast.done(`已随机取 ${integer(limit)} 行，存为新版本`);
      }
    } catch {
      // Said by the client already.
    }
    setDrawing(false);
  };
  return (
    <DropMenu
      disabled={drawing}
      menu={{
        items: [
          { key: 'draw', label: `随机取 ${integer(limit)} 行（存为新版本）`, onClick: () => void draw() },
          { key: 'filter', label: '筛选要分析的行', onClick: onFilter },
          { key: 'upgrade', label: '升级会员，不限行数', onClick: () => prompts.openPurchase() },
        ],
      }}
    >
      <button type="button" className={styles['limit']} aria-busy={drawing}>
        <WarningOutlined aria-hidden />
        {drawing ? '正在抽取…' : `${integer(rows)} 行，一次最多分析 ${integer(limit)} 行`}
        <DownOutlined aria-hidden className={styles['arrow'] ?? ''} />
      </button>
    </DropMenu>
  );
}
