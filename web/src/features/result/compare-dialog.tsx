/** 对比: the same effect in two to four results of one method, as a table and a forest. */
import { effectForest, effectTable, sharedEffects, type VariantOf } from '@hengxi/contracts/report/variants';
import { Button, Select } from 'antd';
import { useMemo, useState } from 'react';

import { ChartBlock } from '../../report/chart/chart-block.tsx';
import { TableBlock } from '../../report/table/table-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { type Choice, Chooser, useChoices, useChosen, Waiting } from './side-by-side.tsx';
import styles from './side-by-side.module.css';
import type { OpenReport } from './queries.ts';

const MOST = 4;

/** Names tell what differs: the filter, the revision; alike ones are numbered. */
function variantsOf(loaded: { choice: Choice; report: OpenReport }[]): VariantOf[] {
  const seen = new Map<string, number>();
  return loaded.map(({ choice, report }) => {
    const { filter } = report.document;
    const name = filter === null ? choice.name : `${choice.name}（筛选 ${filter.text}）`;
    const n = (seen.get(name) ?? 0) + 1;
    seen.set(name, n);
    return { name: n === 1 ? name : `${name} ${n}`, report: report.document };
  });
}

export function CompareDialog({
  report,
  project,
  other = null,
  onClose,
}: {
  report: OpenReport;
  project: number;
  /** What it is compared with to begin with. */
  other?: Choice | null;
  onClose: () => void;
}) {
  const choices = useChoices(report, project, (path) => path === report.path, true);
  const [chosen, setChosen] = useState<Choice[]>(() => [...choices.slice(0, 1), ...(other === null ? [] : [other])]);
  const [wanted, setWanted] = useState<string | null>(null);
  const loaded = useChosen(project, chosen);
  const variants = useMemo(() => variantsOf(loaded ?? []), [loaded]);
  const effects = useMemo(() => (variants.length < 2 ? [] : sharedEffects(variants)), [variants]);
  const effect = effects.find(({ id }) => id === wanted) ?? effects[0];
  const table = useMemo(() => (effect === undefined ? null : effectTable(variants, effect)), [variants, effect]);
  return (
    <Dialog open title="与其他结果对比" width="wide" onClose={onClose} footer={<Button onClick={onClose}>关闭</Button>}>
      <Chooser
        choices={choices}
        most={MOST}
        value={chosen}
        onChange={setChosen}
        none="这个方法在项目里只有这一个结果。改筛选或设置后重新运行，旧的结果会留着，就可以对比。"
      />
      {loaded === null ? <Waiting /> : null}
      {loaded !== null && variants.length < 2 && choices.length > 1 ? (
        <p className={styles['hint']}>再选一个结果，对比就出来。</p>
      ) : null}
      {variants.length >= 2 && effects.length === 0 && loaded !== null ? (
        <p className={styles['hint']}>所选的结果里没有相同的、带置信区间的效应，无法放在一起比。</p>
      ) : null}
      {table === null || effect === undefined ? null : (
        <div className={styles['sheet']}>
          {effects.length > 1 ? (
            <div className={styles['options']}>
              <Select<string>
                aria-label="比较哪个效应"
                style={{ minWidth: 320, maxWidth: '100%' }}
                value={effect.id}
                options={effects.map(({ id, title }) => ({ value: id, label: title }))}
                onChange={setWanted}
              />
            </div>
          ) : null}
          <TableBlock table={table} name="effect" notes={[]} />
          <ChartBlock chart={effectForest(effect)} tables={new Map([['effect', table]])} name="forest" notes={[]} />
        </div>
      )}
    </Dialog>
  );
}
