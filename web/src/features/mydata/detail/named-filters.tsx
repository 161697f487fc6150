/** Filters kept under a name, for every version of the file: taken up, kept, renamed, removed. */
import { DeleteOutlined, EditOutlined } from '@ant-design/icons';
import type { FilterType, NamedFilter } from '@hengxi/server/files/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Select } from 'antd';
import { useState } from 'react';

import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { RenameDialog } from '../../../ui/rename-dialog.tsx';
import { keepFilter, namedFiltersQuery, removeFilter } from '../queries.ts';
import styles from './filter-dialog.module.css';

interface NamedFiltersProps {
  fid: number;
  condition: string;
  kind: FilterType;
  onTake: (filter: NamedFilter) => void;
}

export function NamedFilters({ fid, condition, kind, onTake }: NamedFiltersProps) {
  const query = namedFiltersQuery(fid);
  const list = useQuery(query).data?.list ?? [];
  const here = list.find((one) => one.condition === condition && one.filter_type === kind) ?? null;
  const [naming, setNaming] = useState<'new' | 'renamed' | null>(null);
  const reload = () => queryClient.invalidateQueries({ queryKey: query.queryKey });
  const keep = useMutation({
    // A name that is there already gets the new condition.
    mutationFn: (name: string) =>
      keepFilter(fid, (here ?? list.find((one) => one.name === name))?.id ?? null, name, condition, kind),
    onSuccess: async ({ name }) => {
      // In this order: the button that asked for the name is not there any more, and the focus goes beside it.
      await reload();
      setNaming(null);
      toast.done(naming === 'new' ? `已存为“${name}”` : `已重命名为“${name}”`);
    },
  });
  const remove = useMutation({
    mutationFn: (filter: NamedFilter) => removeFilter(fid, filter.id),
    onSuccess: async (_, filter) => {
      await reload();
      const undo = async () => {
        await keepFilter(fid, null, filter.name, filter.condition, filter.filter_type);
        await reload();
      };
      toast.done(`已删除“${filter.name}”，正在用的筛选不变`, { action: { text: '撤销', run: () => void undo() } });
    },
  });
  return (
    <div className={styles['named']}>
      {list.length === 0 ? null : (
        <Select
          aria-label="已存的筛选"
          placeholder="已存的筛选"
          className={styles['pick'] ?? ''}
          value={here?.id ?? null}
          options={list.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => {
            const filter = list.find((one) => one.id === id);
            if (filter) onTake(filter);
          }}
        />
      )}
      {here ? (
        <>
          <Button
            type="text"
            aria-label={`重命名已存的筛选“${here.name}”`}
            title="重命名已存的筛选"
            icon={<EditOutlined aria-hidden />}
            onClick={() => setNaming('renamed')}
          />
          <Button
            type="text"
            aria-label={`删除已存的筛选“${here.name}”`}
            title="删除已存的筛选"
            icon={<DeleteOutlined aria-hidden />}
            loading={remove.isPending}
            onClick={() => remove.mutate(here)}
          />
        </>
      ) : (
        <Button disabled={condition.trim() === ''} onClick={() => setNaming('new')}>
          存为…
        </Button>
      )}
      {naming ? (
        <RenameDialog
          open
          title={naming === 'new' ? '存为已命名的筛选' : '重命名已存的筛选'}
          value={here?.name ?? ''}
          working={keep.isPending}
          onSave={(name) => keep.mutate(name)}
          onClose={() => setNaming(null)}
        />
      ) : null}
    </div>
  );
}
