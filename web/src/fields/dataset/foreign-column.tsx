/** Columns of the other table: the list of variables is that of the table itself, so they are chosen from a list here. */
import type { RoleField as Declaration } from '@hengxi/contracts/contract';
import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';

import { errorText } from '../../lib/api.ts';
import { NO_VID, versionOrNoneQuery } from '../../lib/catalogue.ts';
import { titleOf } from '../column.ts';
import { idsOf, isRecord } from '../form.ts';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow } from '../parts.tsx';
import styles from './foreign-column.module.css';

/** Columns of the table that a `dataset` field names; none while it names nothing. */
function useForeign(table: string) {
  const { form } = useForm();
  const chosen = form[table];
  const vid = isRecord(chosen) && typeof chosen['vid'] === 'number' ? chosen['vid'] : NO_VID;
  const version = useQuery(versionOrNoneQuery(vid));
  const isChosen = vid !== NO_VID;
  const options = (version.data?.columns ?? []).map((column) => ({ value: column.id, label: titleOf(column) }));
  return {
    isChosen,
    options,
    loading: version.isPending,
    placeholder: isChosen ? '选择变量' : '先选择另一份数据',
    fault: version.isLoadingError ? (
      <p className={styles['note']}>另一份数据没有读到：{errorText(version.error)}</p>
    ) : null,
  };
}

interface ForeignColumnProps {
  /** The `dataset` field whose table it is. */
  table: string;
  label: string;
  value: string | null;
  onChange: (id: string | null) => void;
}

export function ForeignColumn({ table, label, value, onChange }: ForeignColumnProps) {
  const { readOnly } = useForm();
  const { isChosen, options, loading, placeholder, fault } = useForeign(table);
  return (
    <>
      <Select
        className={styles['column'] ?? ''}
        aria-label={label}
        disabled={readOnly || !isChosen}
        loading={loading}
        allowClear
        placeholder={placeholder}
        notFoundContent="没有这样的变量"
        showSearch={{ optionFilterProp: 'label' }}
        value={options.some((one) => one.value === value) ? value : null}
        options={options}
        onChange={(next: string | null | undefined) => onChange(next ?? null)}
      />
      {fault}
    </>
  );
}

/** A role whose variables are those of the other table. */
export function ForeignRole({ field, table, value }: FieldProps<Declaration> & { table: string }) {
  const { set, readOnly } = useForm();
  const { isChosen, options, loading, placeholder, fault } = useForeign(table);
  const ids = idsOf(value);
  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint} stacked>
      {field.many ? (
        <>
          <Select
            className={styles['column'] ?? ''}
            aria-label={field.title}
            mode="multiple"
            disabled={readOnly || !isChosen}
            loading={loading}
            placeholder={placeholder}
            showSearch={{ optionFilterProp: 'label' }}
            value={[...ids]}
            options={options}
            onChange={(next: string[]) => set(field.key, next, { text: field.title })}
          />
          {fault}
        </>
      ) : (
        <ForeignColumn
          table={table}
          label={field.title}
          value={ids[0] ?? null}
          onChange={(id) => set(field.key, id, { text: field.title })}
        />
      )}
    </FieldRow>
  );
}
