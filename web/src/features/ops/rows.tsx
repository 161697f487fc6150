/** The rows of a list of the desk with the acts of each, on the page of the list and on that of a customer. */
import type { ActShown, ListName, OpsList, OpsRow, Proof } from '@hengxi/server/ops/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Table, Tag } from 'antd';
import { Link } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DropMenu } from '../../ui/drop-menu.tsx';
import { Differences } from './act-dialog.tsx';
import styles from './ops.module.css';
import { readProof, save } from './queries.ts';
import { shown } from './words.ts';

export const PAGE_SIZE = 20;
/** The server counts no further. */
const COUNTED = 10_000;
const PAPERS: readonly ListName[] = ['edu', 'transfers', 'contracts'];
/** 访客 has no page. */
const NUMBER = /^\d+$/u;

interface RowsProps {
  data: OpsList;
  list: ListName;
  /** Left out where only the first rows stand. */
  paging?: { page: number; onPage: (page: number) => void };
  onAct: (act: ActShown, row: OpsRow) => void;
  onProof: (row: OpsRow) => void;
}

export function Rows({ data, list, paging, onAct, onProof }: RowsProps) {
  const hasActs = data.list.some(({ acts, has_proof: papers }) => acts.length > 0 || papers);
  const columns = data.columns.map(({ key, title, kind }) => ({
    key,
    title,
    align: kind === 'fen' || kind === 'number' ? ('right' as const) : ('left' as const),
    render: (_: unknown, row: OpsRow) => {
      const text = shown(row.cells[key], kind);
      if (kind === 'customer' && NUMBER.test(text)) return <Link to={`/ops/customer/${text}`}>{text}</Link>;
      if (kind === 'state') return <Tag>{text}</Tag>;
      return kind === 'text' ? <span className={styles['cell']}>{text}</span> : text;
    },
  }));
  const buttons = {
    key: 'acts',
    title: '操作',
    fixed: 'end' as const,
    render: (_: unknown, row: OpsRow) => (
      <div className={styles['acts']}>
        {row.has_proof && PAPERS.includes(list) ? (
          <Button size="small" onClick={() => onProof(row)}>
            查看凭证
          </Button>
        ) : null}
        <Acts
          acts={row.acts.flatMap((name) => data.acts.find((one) => one.act === name) ?? [])}
          row={row}
          onAct={onAct}
        />
      </div>
    ),
  };
  const hasDetail = data.list.some(({ detail }) => detail !== null);
  return (
    <Table<OpsRow>
      size="small"
      rowKey="id"
      columns={hasActs ? [...columns, buttons] : columns}
      dataSource={data.list}
      scroll={{ x: 'max-content' }}
      locale={{ emptyText: data.hint ?? '没有符合条件的记录' }}
      {...(hasDetail
        ? { expandable: { expandedRowRender: detailOf, columnTitle: <span className="hx-hidden">明细</span> } }
        : {})}
      pagination={
        paging === undefined
          ? false
          : {
              current: paging.page,
              pageSize: PAGE_SIZE,
              total: data.total,
              onChange: paging.onPage,
              showSizeChanger: false,
              showTotal: (total) => (total > COUNTED ? `共 ${COUNTED} 条以上` : `共 ${total} 条`),
            }
      }
    />
  );
}

/** Two stand beside each other; more would push the row itself off the screen. */
const ACTS_SHOWN = 2;

function Acts({ acts, row, onAct }: { acts: ActShown[]; row: OpsRow; onAct: (act: ActShown, row: OpsRow) => void }) {
  if (acts.length <= ACTS_SHOWN)
    return acts.map((act) => (
      <Button key={act.act} size="small" danger={act.danger} onClick={() => onAct(act, row)}>
        {act.title}
      </Button>
    ));
  const item = (act: ActShown) => ({
    key: act.act,
    label: act.title,
    danger: act.danger,
    onClick: () => onAct(act, row),
  });
  const [usual, dangerous] = [acts.filter(({ danger }) => !danger), acts.filter(({ danger }) => danger)];
  // What cannot be undone stands last and apart.
  const isApart = usual.length > 0 && dangerous.length > 0;
  const line = isApart ? [{ key: 'line', type: 'divider' as const }] : [];
  const items = [...usual.map(item), ...line, ...dangerous.map(item)];
  return (
    <DropMenu menu={{ items }} placement="bottomRight">
      <Button size="small" aria-label={`操作：${row.name}`}>
        操作
      </Button>
    </DropMenu>
  );
}

const detailOf = ({ detail }: OpsRow) => <Differences detail={detail} />;

export function ProofDialog({ list, row, onClose }: { list: ListName; row: OpsRow; onClose: () => void }) {
  const { data, error } = useQuery({
    queryKey: ['ops', 'proof', list, row.id],
    queryFn: () => readProof(list, row.id),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Dialog open title={`凭证：${row.name}`} width="wide" onClose={onClose}>
      {error ? <p role="alert">{errorText(error)}</p> : data ? <Paper proof={data} name={row.name} /> : '正在读取'}
    </Dialog>
  );
}

function Paper({ proof: { mime, base64 }, name }: { proof: Proof; name: string }) {
  if (mime.startsWith('image/'))
    return <img className={styles['paper']} src={`data:${mime};base64,${base64}`} alt={`${name}的凭证`} />;
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  return (
    <Button onClick={() => save(new Blob([bytes], { type: mime }), `${name}.pdf`)}>保存 PDF（浏览器外打开）</Button>
  );
}
