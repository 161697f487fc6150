/** The first rows as they would be read. */
import type { Preview } from '@hengxi/server/files/schema';

import { MeasureIcon } from '../../../ui/measure-icon.tsx';
import styles from './preview-table.module.css';

/** More columns than this are not drawn here: the grid after the import has all of them. */
const MOST_COLUMNS = 200;

export function PreviewTable({ preview, dimmed }: { preview: Preview; dimmed: boolean }) {
  const columns = preview.columns.slice(0, MOST_COLUMNS);
  const hidden = preview.columns.length - columns.length;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by key
    <div role="region" aria-label="数据预览" tabIndex={0} className={styles['scroll']} data-dimmed={dimmed}>
      <table className={styles['table']}>
        <caption className="hx-hidden">前 {preview.rows.length} 行</caption>
        <thead>
          <tr>
            <th scope="col" className={styles['index']}>
              <span className="hx-hidden">行</span>
            </th>
            {columns.map((column, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- names may repeat before the import makes them unique
              <th key={place} scope="col" title={column.why ?? undefined}>
                <MeasureIcon kind={column.ordered === true ? '定序' : column.measure} size={13} /> {column.name}
              </th>
            ))}
            {hidden > 0 ? <th scope="col">还有 {hidden} 列</th> : null}
          </tr>
        </thead>
        <tbody>
          {preview.rows.map((row, line) => (
            // oxlint-disable-next-line react/no-array-index-key -- a row is its place
            <tr key={line}>
              <td className={styles['index']}>{line + 1}</td>
              {columns.map((column, place) => {
                const value = row[place];
                const isMissing = value === null || value === undefined || value === '';
                const kinds = [column.measure === '定量' && styles['number'], isMissing && styles['missing']];
                return (
                  // oxlint-disable-next-line react/no-array-index-key -- a cell is its place
                  <td key={place} className={kinds.filter(Boolean).join(' ') || undefined}>
                    {isMissing ? '缺失' : String(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
