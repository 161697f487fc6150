/** 概览: the table in a few figures, and every finding of the health check as a tile. */
import type { Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';

import { formatCount } from '../../../lib/format-size.ts';
import { CheckMark } from '../../../ui/check-mark.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { MEASURE_KINDS, MeasureIcon, measureKind } from '../../../ui/measure-icon.tsx';
import { healthQuery } from '../../../lib/findings.ts';
import { FindingList } from './health-list.tsx';
import styles from './overview-tab.module.css';
import type { Picked } from './use-table-view.ts';

interface OverviewTabProps {
  version: Version;
  onPick: (picked: Picked) => void;
  onSelect: (column: string) => void;
}

export function OverviewTab({ version, onPick, onSelect }: OverviewTabProps) {
  const health = useQuery(healthQuery(version.vid));
  const cells = version.rows * version.columns.length;
  const missing = version.columns.reduce((sum, column) => sum + column.profile.missing, 0);
  const share = cells > 0 ? `${((missing / cells) * 100).toFixed(1)}%` : '–';
  const figures: [string, string][] = [
    ['行', formatCount(version.rows)],
    ['列', formatCount(version.columns.length)],
    ['缺失的格', `${formatCount(missing)}（${share}）`],
    ['分析', formatCount(version.reports)],
  ];
  return (
    <div className={styles['page']}>
      <dl className={styles['figures']}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h2 className={styles['title']}>变量构成</h2>
      <ul className={styles['kinds']}>
        {MEASURE_KINDS.map((kind) => {
          const count = version.columns.filter((column) => measureKind(column) === kind).length;
          return count === 0 ? null : (
            <li key={kind}>
              <MeasureIcon kind={kind} decorative /> {kind} {count}
            </li>
          );
        })}
      </ul>
      <h2 className={styles['title']}>数据体检</h2>
      <Loaded query={health} rows={3}>
        {({ checks, findings }) =>
          findings.length === 0 ? (
            <p className={styles['fine']}>
              <CheckMark state="pass" decorative /> {checks} 项检查全部通过
            </p>
          ) : (
            <div className={styles['tiles']}>
              <FindingList version={version} findings={findings} onPick={onPick} onSelect={onSelect} />
            </div>
          )
        }
      </Loaded>
    </div>
  );
}
