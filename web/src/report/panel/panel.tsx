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
  const { numbers, presentation } = useReport();
  const own = presentation.value.figures[name]?.title;
  const number = numbers.get(name);
  return (
    <div className={styles['panel']} role="group" aria-label={panel.title} data-block={name}>
      <div className={styles['charts']}>
        {panel.charts.map((chart) => (
          <ChartBlock
            key={chart.id}
            chart={chart}
            tables={tables}
            name={`${name}/${chart.id}`}
            notes={[]}
            inPanel
            panel={{ name, title: panel.title }}
          />
        ))}
      </div>
      <p className={styles['caption']}>
        <Words
          list={[
            ...(number === undefined ? [] : [{ text: `${number}　` }]),
            ...(own === undefined
              ? [...tokens(panel.title), ...(panel.at === null ? [] : [{ text: `：${panel.at}` }])]
              : [{ text: own }]),
          ]}
        />
      </p>
      <BlockNote name={name} />
    </div>
  );
}
