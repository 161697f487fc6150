/** The rows behind the sample account: used, filtered out, missing with the reason; read only. */
import { integer } from '@hengxi/contracts/format';
import { POINT_ROWS, rowsText } from '@hengxi/contracts/report/row-ranges';
import { useQuery } from '@tanstack/react-query';
import { Button, Drawer } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { CasesTable } from '../../report/cases-table.tsx';
import type { RowsQuery } from '../../report/context.ts';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import { dataAddress, type OpenReport, type Place, ROWS_PAGE, rowsQuery } from './queries.ts';
import styles from './rows-drawer.module.css';

const TITLES = { used: '进入分析的行', filtered: '被筛掉的行', missing: '因缺失剔除的行', rows: '所指的行' } as const;

export interface RowsDrawerProps {
  asked: RowsQuery;
  report: OpenReport;
  place: Place;
  onClose: () => void;
}

export function RowsDrawer({ asked, report, place, onClose }: RowsDrawerProps) {
  const isCompared = asked.set === 'filtered' && Boolean(report.document.sample.chosen);
  return (
    <Drawer title={isCompared ? '未参与比较的行' : TITLES[asked.set]} size="min(960px, 92vw)" open onClose={onClose}>
      {asked.set === 'rows' ? (
        <Numbers rows={asked.rows ?? []} vid={report.vid} />
      ) : (
        <Rows asked={{ set: asked.set, column: asked.column }} report={report} place={place} />
      )}
    </Drawer>
  );
}

/** Row numbers a table of the report names: they are found in the data by number. */
function Numbers({ rows, vid }: { rows: readonly number[]; vid: number | null }) {
  const navigate = useNavigate();
  return (
    <>
      <p>
        {rowsText(rows)}
        {rows.length > POINT_ROWS ? `，共 ${integer(rows.length)} 行` : ''}。
      </p>
      {vid === null ? null : (
        <Button className={styles['go'] ?? ''} onClick={() => void navigate(dataAddress(vid, rows))}>
          {rows.length > POINT_ROWS ? `在数据中查看前 ${POINT_ROWS} 行` : '在数据中查看'}
        </Button>
      )}
    </>
  );
}

function Rows({
  asked,
  report,
  place,
}: {
  asked: { set: 'used' | 'filtered' | 'missing'; column: string | undefined };
  report: OpenReport;
  place: Place;
}) {
  const [offset, setOffset] = useState(0);
  const rows = useQuery({ ...rowsQuery(place, report.rev, { ...asked, offset }), placeholderData: (old) => old });
  if (rows.isLoadingError) return <p role="alert">{errorText(rows.error)}</p>;
  if (rows.data === undefined) return <ListSkeleton rows={8} />;
  const { total, reasons } = rows.data;
  return (
    <>
      <CasesTable
        page={rows.data}
        name={TITLES[asked.set]}
        reason={asked.set === 'used' ? undefined : (r) => (reasons[r] ?? []).join('、')}
      />
      <div className={styles['pages']}>
        <span>
          第 {integer(offset + 1)} 到 {integer(Math.min(total, offset + ROWS_PAGE))} 行，共 {integer(total)} 行
        </span>
        <Button size="small" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - ROWS_PAGE))}>
          上一页
        </Button>
        <Button size="small" disabled={offset + ROWS_PAGE >= total} onClick={() => setOffset(offset + ROWS_PAGE)}>
          下一页
        </Button>
      </div>
    </>
  );
}
