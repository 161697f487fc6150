/** A word of a cloud that was clicked: its weight, its rows, and what can be done to it. */
import type { ChartElement, TableElement } from '@hengxi/contracts/contract';
import { tableSource } from '@hengxi/contracts/chart/source';
import { CloseOutlined } from '@ant-design/icons';
import { Button } from 'antd';

import { useReport } from '../context.ts';
import { WordAction } from '../word-actions.tsx';
import styles from './chart-block.module.css';

interface Props {
  chart: Extract<ChartElement, { kind: 'words' }>;
  table: TableElement;
  row: number;
  onClose: () => void;
}

export function WordCard({ chart, table, row, onClose }: Props) {
  const { onRows } = useReport();
  const source = tableSource(table, { word: chart.word, weight: chart.weight, rows: chart.rows });
  const word = source.text('word', row);
  const cell = source.value('rows', row);
  const rows = Array.isArray(cell) ? cell.filter((one): one is number => typeof one === 'number') : [];
  return (
    <div className={styles['word']} role="group" data-word-card aria-label={`词“${word}”`}>
      <b>{word}</b>
      <span>
        {source.heading('weight')} {source.shown('weight', row)}
      </span>
      {onRows === undefined || rows.length === 0 ? null : (
        <button type="button" className="hx-link" onClick={() => onRows({ set: 'rows', rows })}>
          查看所在的行
        </button>
      )}
      <WordAction does="add_stopword" word={word} />
      <WordAction does="rename" word={word} />
      <Button size="small" type="text" aria-label="关闭" icon={<CloseOutlined />} onClick={onClose} />
    </div>
  );
}
