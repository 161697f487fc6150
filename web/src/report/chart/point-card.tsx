/** A point that was picked: what it is, the rules it breaks, and the rows of the data behind it. */
import { CloseOutlined } from '@ant-design/icons';
import { POINT_ROWS, rowsText } from '@hengxi/contracts/report/row-ranges';
import type { Mark } from '@hengxi/contracts/chart/drawing';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Link } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import { CasesTable } from '../cases-table.tsx';
import { type CaseActions, useReport } from '../context.ts';
import styles from './point.module.css';

/** Rows shown in the card; the page of the data has all of them. */
const SHOWN = 20;

interface Props {
  mark: Mark;
  onClose: () => void;
}

export function PointCard({ mark, onClose }: Props) {
  const { cases } = useReport();
  const card = useRef<HTMLDivElement>(null);
  const [name = '', ...lines] = mark.tip ?? [];
  useEffect(() => {
    card.current?.focus({ preventScroll: true });
    card.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const close = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  return (
    // Escape closes it from anywhere inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-static-element-interactions
    <div ref={card} className={styles['card']} role="group" aria-label={name} tabIndex={-1} data-card onKeyDown={close}>
      <div className={styles['head']}>
        <b>{name}</b>
        {lines.map((line) => (
          <span key={line}>{line}</span>
        ))}
        <Button size="small" type="text" aria-label="关闭" icon={<CloseOutlined />} onClick={onClose} />
      </div>
      {mark.cases === undefined || cases === undefined ? null : <Cases rows={mark.cases} actions={cases} />}
    </div>
  );
}

function Cases({ rows, actions }: { rows: readonly number[]; actions: CaseActions }) {
  const shown = rows.slice(0, SHOWN);
  const page = useQuery({
    queryKey: ['cases', actions.key, shown],
    queryFn: ({ signal }) => actions.read(shown, signal),
    staleTime: Infinity,
  });
  const address = actions.address(rows);
  return (
    <>
      <p className={styles['rows']}>
        <span>
          {rowsText(rows)}
          {rows.length > SHOWN ? `（下面是前 ${SHOWN} 行）` : ''}
        </span>
        {address === null ? null : (
          <Link to={address}>{rows.length > POINT_ROWS ? `在数据中查看前 ${POINT_ROWS} 行` : '在数据中查看'}</Link>
        )}
      </p>
      {page.isLoadingError ? <p role="alert">{errorText(page.error)}</p> : null}
      {page.isPending ? <ListSkeleton rows={Math.min(3, shown.length)} /> : null}
      {page.data === undefined ? null : <CasesTable page={page.data} name={rowsText(rows)} />}
    </>
  );
}
