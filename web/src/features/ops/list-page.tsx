/** One list of the desk: filters in the address, a plain table, the acts of each row. The server says what stands in it. */
import { DownloadOutlined, PlusOutlined } from '@ant-design/icons';
import type { ActShown, Filter, ListName, OpsList, OpsRow, Proof } from '@hengxi/server/ops/schema';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input, Select, Table, Tag } from 'antd';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { toast } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DropMenu } from '../../ui/drop-menu.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import { ActDialog, Differences } from './act-dialog.tsx';
import styles from './ops.module.css';
import { exportList, listQuery, readProof, save } from './queries.ts';
import { shown } from './words.ts';

const PAGE_SIZE = 20;
/** The server counts no further. */
const COUNTED = 10_000;
const PAPERS: readonly ListName[] = ['edu', 'transfers', 'contracts'];

export function ListPage({ list, title }: { list: ListName; title: string }) {
  const [params, setParams] = useSearchParams();
  const query = Object.fromEntries(params);
  const page = Math.max(1, Number(query['page'] ?? 1) || 1);
  const { data, error, isPending, isFetching } = useQuery({
    ...listQuery(list, { ...query, page: String(page), page_size: String(PAGE_SIZE) }),
    placeholderData: keepPreviousData,
  });
  const [open, setOpen] = useState<{ act: ActShown; row: OpsRow | null } | null>(null);
  const [exporting, setExporting] = useState(false);
  const [proof, setProof] = useState<OpsRow | null>(null);
  const filters = Object.fromEntries(Object.entries(query).filter(([key]) => key !== 'page'));
  const reload = () => queryClient.invalidateQueries({ queryKey: ['ops', 'list'] });

  const narrow = (changes: Record<string, string>) => {
    const next = { ...filters, ...changes };
    setParams(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== '')));
  };
  const actOf = (name: string): ActShown | undefined => data?.acts.find(({ act }) => act === name);
  return (
    <section aria-labelledby="ops-list">
      <div className={styles['head']}>
        <h1 id="ops-list">{title}</h1>
        <div className={styles['tools']}>
          {data?.makes.map((name) => (
            <Button
              key={name}
              type="primary"
              icon={<PlusOutlined aria-hidden />}
              onClick={() => setOpen({ act: actOf(name) as ActShown, row: null })}
            >
              {actOf(name)?.title}
            </Button>
          ))}
          <Button
            icon={<DownloadOutlined aria-hidden />}
            disabled={!data || data.total === 0}
            onClick={() => setExporting(true)}
          >
            导出 CSV
          </Button>
          <Button loading={isFetching} onClick={() => void reload()}>
            刷新
          </Button>
        </div>
      </div>
      {data && data.filters.length > 0 ? (
        <Filters key={JSON.stringify(filters)} filters={data.filters} values={filters} onChange={narrow} />
      ) : null}
      {error ? <p role="alert">{errorText(error)}</p> : null}
      {isPending ? <ListSkeleton rows={6} /> : null}
      {data ? (
        <Rows
          data={data}
          list={list}
          page={page}
          onPage={(next) => setParams({ ...filters, page: String(next) })}
          onAct={(act, row) => setOpen({ act, row })}
          onProof={setProof}
        />
      ) : null}
      {open ? (
        <ActDialog
          {...open}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null);
            void reload();
          }}
        />
      ) : null}
      {exporting ? <ExportDialog list={list} filters={filters} onClose={() => setExporting(false)} /> : null}
      {proof ? <ProofDialog list={list} row={proof} onClose={() => setProof(null)} /> : null}
    </section>
  );
}

interface FilterProps {
  filters: Filter[];
  values: Record<string, string>;
  onChange: (changes: Record<string, string>) => void;
}

function Filters({ filters, values, onChange }: FilterProps) {
  const texts = filters.filter(({ choices }) => choices === null);
  const [typed, setTyped] = useState<Record<string, string>>(() =>
    Object.fromEntries(texts.map(({ key }) => [key, values[key] ?? ''])),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange(typed);
  };
  return (
    <form className={styles['filters']} onSubmit={submit} role="search">
      {filters.map(({ key, label, choices, all }) =>
        choices ? (
          <Select
            key={key}
            aria-label={label}
            value={values[key] ?? (all ? '' : (choices[0]?.value ?? ''))}
            options={all ? [{ value: '', label: `全部${label}` }, ...choices] : choices}
            onChange={(value) => onChange({ ...typed, [key]: String(value) })}
            popupMatchSelectWidth={false}
            className={styles['filter'] ?? ''}
          />
        ) : (
          <Input
            key={key}
            aria-label={label}
            placeholder={label}
            value={typed[key] ?? ''}
            onChange={(event) => setTyped((old) => ({ ...old, [key]: event.target.value }))}
            className={styles['filter'] ?? ''}
            allowClear
          />
        ),
      )}
      {texts.length > 0 ? <Button htmlType="submit">查询</Button> : null}
    </form>
  );
}

interface RowsProps {
  data: OpsList;
  list: ListName;
  page: number;
  onPage: (page: number) => void;
  onAct: (act: ActShown, row: OpsRow) => void;
  onProof: (row: OpsRow) => void;
}

function Rows({ data, list, page, onPage, onAct, onProof }: RowsProps) {
  const hasActs = data.list.some(({ acts, has_proof: papers }) => acts.length > 0 || papers);
  const columns = data.columns.map(({ key, title, kind }) => ({
    key,
    title,
    align: kind === 'fen' || kind === 'number' ? ('right' as const) : ('left' as const),
    render: (_: unknown, row: OpsRow) => {
      const text = shown(row.cells[key], kind);
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
      {...(hasDetail ? { expandable: { expandedRowRender: detailOf } } : {})}
      pagination={{
        current: page,
        pageSize: PAGE_SIZE,
        total: data.total,
        onChange: onPage,
        showSizeChanger: false,
        showTotal: (total) => (total > COUNTED ? `共 ${COUNTED} 条以上` : `共 ${total} 条`),
      }}
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
  const items = acts.map((act) => ({
    key: act.act,
    label: act.title,
    danger: act.danger,
    onClick: () => onAct(act, row),
  }));
  return (
    <DropMenu menu={{ items }} placement="bottomRight">
      <Button size="small" aria-label={`操作：${row.name}`}>
        操作
      </Button>
    </DropMenu>
  );
}

const detailOf = ({ detail }: OpsRow) => <Differences detail={detail} />;

interface ExportProps {
  list: ListName;
  filters: Record<string, string>;
  onClose: () => void;
}

function ExportDialog({ list, filters, onClose }: ExportProps) {
  const [reason, setReason] = useState('');
  const run = useMutation({
    mutationFn: () => exportList(list, filters, reason.trim()),
    onSuccess: ({ rows }) => {
      toast.done(`已导出 ${rows} 行`);
      onClose();
    },
  });
  return (
    <Dialog
      open
      title="导出 CSV"
      width="form"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button
            type="primary"
            disabled={[...reason.trim()].length < 5}
            loading={run.isPending}
            onClick={() => run.mutate()}
          >
            导出
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <p className={styles['soft']}>按当前筛选导出全部列，手机号打码。文件保留 24 小时，导出写入操作日志。</p>
        <Input.TextArea
          aria-label="导出原因"
          rows={2}
          maxLength={200}
          placeholder="导出原因，不少于 5 个字"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
    </Dialog>
  );
}

function ProofDialog({ list, row, onClose }: { list: ListName; row: OpsRow; onClose: () => void }) {
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
