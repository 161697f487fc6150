/** 编码方案: rules saved under a name, put into this form from the list, or deleted there. */
import type { CodingScheme } from '@hengxi/server/coding/schema';
import { DeleteOutlined } from '@ant-design/icons';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';

import { api } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { toast } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RenameDialog } from '../../ui/rename-dialog.tsx';
import { ListSkeleton } from '../../ui/skeleton.tsx';
import styles from './mapping-field.module.css';

const BASE = '/v1/user/coding-schemes';
const NAME_MOST = 60;

const schemesQuery = queryOptions({
  queryKey: ['coding-schemes'],
  queryFn: ({ signal }) => api.get<{ list: CodingScheme[] }>(BASE, { signal }),
});
const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: schemesQuery.queryKey });

export interface SchemesProps {
  /** The rules as they are now, for the wire; none to save while it is empty. */
  rules: readonly unknown[];
  /** Most rules the field takes. */
  max: number;
  onApply: (rules: CodingScheme['rules'], name: string) => void;
}

export function Schemes({ rules, max, onApply }: SchemesProps) {
  const [open, setOpen] = useState<'list' | 'save' | null>(null);
  const close = (): void => setOpen(null);
  // The client is named: the form of a method is drawn in tests without the page around it.
  const save = useMutation(
    {
      mutationFn: (name: string) => api.post<CodingScheme>(BASE, { name, rules }),
      onSuccess: async ({ name }) => {
        await refresh();
        close();
        toast.done(`已存为编码方案“${name}”`);
      },
    },
    queryClient,
  );
  return (
    <>
      <Button size="small" onClick={() => setOpen('list')}>
        套用编码方案
      </Button>
      {rules.length === 0 ? null : (
        <Button size="small" onClick={() => setOpen('save')}>
          存为编码方案
        </Button>
      )}
      {open === 'list' ? (
        <SchemeList
          max={max}
          onClose={close}
          onApply={(scheme) => {
            close();
            onApply(scheme.rules, scheme.name);
          }}
        />
      ) : null}
      <RenameDialog
        key={open ?? ''}
        open={open === 'save'}
        title="存为编码方案（同名的会被替换）"
        value=""
        max={NAME_MOST}
        working={save.isPending}
        onClose={close}
        onSave={(name) => save.mutate(name)}
      />
    </>
  );
}

interface SchemeListProps {
  max: number;
  onApply: (scheme: CodingScheme) => void;
  onClose: () => void;
}

function SchemeList({ max, onApply, onClose }: SchemeListProps) {
  const schemes = useQuery(schemesQuery, queryClient);
  const remove = useMutation(
    {
      mutationFn: ({ id }: CodingScheme) => api.delete(`${BASE}/${id}`),
      onSuccess: async (_, { name, rules }) => {
        await refresh();
        const back = (): void => void api.post(BASE, { name, rules }).then(refresh, () => undefined);
        toast.done(`已删除编码方案“${name}”`, { action: { text: '撤销', run: back } });
      },
    },
    queryClient,
  );
  const list = schemes.data?.list ?? [];
  return (
    <Dialog open title="编码方案" width="choose" onClose={onClose}>
      {schemes.isPending ? <ListSkeleton rows={3} /> : null}
      {schemes.isSuccess && list.length === 0 ? (
        <EmptyState title="还没有编码方案" hint="填好规则后点“存为编码方案”，以后在别的变量和数据上都能套用。" />
      ) : null}
      <ul className={styles['schemes']}>
        {list.map((scheme) => (
          <li key={scheme.id}>
            <span>
              <b>{scheme.name}</b>
              <small>{scheme.rules.length} 条规则</small>
            </span>
            <Button size="small" disabled={scheme.rules.length > max} onClick={() => onApply(scheme)}>
              套用
            </Button>
            <Button
              size="small"
              type="text"
              icon={<DeleteOutlined aria-hidden />}
              aria-label={`删除编码方案“${scheme.name}”`}
              onClick={() => remove.mutate(scheme)}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
