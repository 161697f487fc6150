/** One list of the desk: filters in the address, a plain table, the acts of each row. The server says what stands in it. */
import { DownloadOutlined, PlusOutlined } from '@ant-design/icons';
import type { ActShown, Filter, ListName, OpsRow } from '@hengxi/server/ops/schema';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input, Select } from 'antd';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'react-router';

import { errorText } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { toast } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import { ActDialog } from './act-dialog.tsx';
import styles from './ops.module.css';
import { exportList, listQuery } from './queries.ts';
import { PAGE_SIZE, ProofDialog, Rows } from './rows.tsx';

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
          paging={{ page, onPage: (next) => setParams({ ...filters, page: String(next) }) }}
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
    <form className={styles['filters']} onSubmit={submit} role="search" aria-label="条件">
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
