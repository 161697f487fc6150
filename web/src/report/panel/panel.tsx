/** Several charts as one picture, with one number and one title. */
import type { PanelElement, TableElement } from '@hengxi/contracts/contract';
import { tokens } from '@hengxi/contracts/format';

import { ChartBlock } from '../chart/chart-block.tsx';
import { useReport } from '../context.ts';
import { BlockNote } from '../note/block-note.tsx';
import { Words } from '../words.tsx';
import styles from './panel.module.css';

export function Panel({
  panel,
  tables,
  name,
}: {
  panel: PanelElement;
  tables: ReadonlyMap<string, TableElement>;
  name: string;
}) {
  const { numbers } = useReport();
  const number = numbers.get(name);
  return (
    <div className={styles['panel']} role="group" aria-label={panel.title} data-block={name}>
      <div className={styles['charts']}>
        {panel.charts.map((chart) => (
          <ChartBlock key={chart.id} chart={chart} tables={tables} name={`${name}/${chart.id}`} notes={[]} inPanel />
        ))}
      </div>
      <p className={styles['caption']}>
        <Words
          list={[
            ...(number === undefined ? [] : [{ text: `${number}　` }]),
            ...tokens(panel.title),
            ...(panel.at === null ? [] : [{ text: `：${panel.at}` }]),
          ]}
        />
      </p>
      <BlockNote name={name} />
    </div>
  );
}
