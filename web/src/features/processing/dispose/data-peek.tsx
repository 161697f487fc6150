/** The first rows of the table as it is, before a tool has anything to show. */
import type { Rows } from '@hengxi/server/files/schema';
import type { Version } from '@hengxi/server/files/schema';
import { integer } from '@hengxi/contracts/format';
import { isCode } from '@hengxi/contracts/missing-codes';
import { useQuery } from '@tanstack/react-query';

import { isClock } from '../../../fields/clock.ts';
import { api } from '../../../lib/api.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { CellWords, isGap } from './cell-words.tsx';
import styles from './compare.module.css';
import { Head } from './sheet.tsx';

const ROWS = 60;
const COLUMNS = 40;

interface DataPeekProps {
  version: Version;
  /** A click on a head; what it does is said in `title`. */
  onPick: (id: string) => void;
  title: string;
  picked?: readonly string[];
}

export function DataPeek({ version, onPick, title, picked }: DataPeekProps) {
  const columns = version.columns.slice(0, COLUMNS);
  const body = { offset: 0, limit: ROWS, columns: columns.map(({ id }) => id) };
  const rows = useQuery({
    queryKey: ['rows', 'first', version.vid],
    queryFn: ({ signal }) =>
      api.post<Rows>(`/v1/user/file/versions/${version.vid}/rows`, body, { signal, quiet: true }),
    staleTime: Infinity,
    enabled: columns.length > 0,
  });
  if (columns.length === 0) return <p className={styles['note']}>这份数据没有变量。</p>;
  const left = version.columns.length - columns.length;
  return (
    <>
      <Loaded query={rows}>
        {({ rows: cells, index, total }) => (
          <>
            <p className={styles['note']}>
              {cells.length < total
                ? `前 ${integer(cells.length)} 行，共 ${integer(total)} 行`
                : `共 ${integer(total)} 行`}
              {left > 0
                ? `；前 ${COLUMNS} 个变量，其余 ${integer(left)} 个在变量列表里`
                : `，${integer(columns.length)} 个变量`}
            </p>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- wide tables scroll, also by keyboard */}
            <div className={styles['sheet']} tabIndex={0} role="region" aria-label="数据">
              <table>
                <thead>
                  <tr>
                    <th scope="col">行</th>
                    {columns.map((column) => (
                      <th key={column.id} scope="col">
                        <Head column={column} onPick={onPick} picked={picked?.includes(column.id)} title={title} />
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {cells.map((row, at) => (
                    <tr key={index[at] ?? at}>
                      <th scope="row">{integer((index[at] ?? at) + 1)}</th>
                      {columns.map((column, place) => (
                        <td
                          key={column.id}
                          data-number={typeof row[place] === 'number' ? '' : undefined}
                          data-gap={isGap(row[place]) ? '' : undefined}
                        >
                          <CellWords
                            cell={row[place]}
                            labels={column.levels ?? []}
                            isTime={isClock(column) && !isCode(row[place], column)}
                          />
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}
