/** 数据体检: what may harm an analysis, most harmful first; each finding shows its rows and offers a way out. */
import type { ColumnEdit, Finding, Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { Link } from 'react-router';

import { errorText } from '../../../lib/api.ts';
import { methodsQuery } from '../../../lib/catalogue.ts';
import { alikeOf, healthQuery, wayForAll, wayOut } from '../../../lib/findings.ts';
import { formatCount } from '../../../lib/format-size.ts';
import { CheckMark } from '../../../ui/check-mark.tsx';
import { ListSkeleton } from '../../../ui/skeleton.tsx';
import styles from './health-list.module.css';
import { useEdits } from './use-edits.ts';
import { type Picked, rowsWhere } from './use-table-view.ts';

interface HealthListProps {
  version: Version;
  onPick: (picked: Picked) => void;
  onSelect: (column: string) => void;
}

export function HealthList({ version, onPick, onSelect }: HealthListProps) {
  const health = useQuery(healthQuery(version.vid));
  return (
    <section aria-labelledby="health-title">
      <div className={styles['head']}>
        <h2 id="health-title">数据体检</h2>
        {health.data ? (
          <span>
            {health.data.checks} 项检查，{health.data.findings.length} 处待看
          </span>
        ) : null}
      </div>
      {health.isPending ? (
        <div className={styles['item']}>
          <ListSkeleton rows={3} />
        </div>
      ) : null}
      {health.isLoadingError ? (
        <div className={styles['item']} role="alert">
          <p>{errorText(health.error)}</p>
          <Button size="small" onClick={() => void health.refetch()}>
            重试
          </Button>
        </div>
      ) : null}
      <FindingList version={version} findings={health.data?.findings ?? []} onPick={onPick} onSelect={onSelect} />
      {health.data && health.data.passed > 0 ? (
        <p className={styles['passed']}>
          <CheckMark state="pass" decorative />
          {health.data.findings.length > 0 ? `其余 ${health.data.passed} 项通过` : `${health.data.passed} 项全部通过`}
        </p>
      ) : null}
    </section>
  );
}

interface FindingListProps extends HealthListProps {
  findings: readonly Finding[];
}

export function FindingList({ version, findings, onPick, onSelect }: FindingListProps) {
  const { edit } = useEdits(version);
  return (
    <ul className={styles['list']}>
      {findings.map((finding) => (
        <li key={`${finding.code} ${finding.columns.join()} ${finding.condition}`} className={styles['item']}>
          <p className={styles['title']}>
            <CheckMark state={finding.state} />
            <b>{finding.title}</b>
          </p>
          <p className={styles['text']}>{finding.text}</p>
          <FindingActions
            vid={version.vid}
            finding={finding}
            alike={alikeOf(findings, finding)}
            working={edit.isPending}
            onPick={onPick}
            onSelect={onSelect}
            onEdit={(columns) => edit.mutate(columns)}
          />
        </li>
      ))}
    </ul>
  );
}

interface FindingActionsProps {
  vid: number;
  finding: Finding;
  /** Later findings that the same step mends with the same settings; the first of them all offers to do so. */
  alike: readonly Finding[];
  working: boolean;
  onPick: (picked: Picked) => void;
  onSelect: (column: string) => void;
  onEdit: (columns: ColumnEdit[]) => void;
}

function FindingActions({ vid, finding, alike, working, onPick, onSelect, onEdit }: FindingActionsProps) {
  const { condition, count, edit } = finding;
  const methods = useQuery(methodsQuery).data;
  const way = wayOut(finding, vid, methods ?? []);
  const together = alike.length === 0 ? null : wayForAll([finding, ...alike], vid, methods ?? []);
  const [first] = finding.columns;
  return (
    <div className={styles['actions']}>
      {condition === null ? null : (
        <button type="button" className="hx-link" onClick={() => onPick(rowsWhere(finding.title, condition))}>
          看哪些行{count === null ? '' : `（${formatCount(count)}）`}
        </button>
      )}
      {first ? (
        <button type="button" className="hx-link" onClick={() => onSelect(first)}>
          看变量
        </button>
      ) : null}
      {way ? (
        <Link to={way.to} state={way.state}>
          处理…<span className="hx-hidden">：{finding.title}</span>
        </Link>
      ) : null}
      {together === null ? null : (
        <Link to={together.to} state={together.state}>
          一起处理 {together.count} 个变量…
        </Link>
      )}
      {edit ? (
        <Button size="small" disabled={working} onClick={() => onEdit(editOf(edit.columns))}>
          {edit.title}
        </Button>
      ) : null}
    </div>
  );
}

/** The ready body of the server is passed back as it came; only its id is looked at here. */
function editOf(columns: readonly Record<string, unknown>[]): ColumnEdit[] {
  return columns.flatMap((column) => (typeof column['id'] === 'string' ? [{ ...column, id: column['id'] }] : []));
}
