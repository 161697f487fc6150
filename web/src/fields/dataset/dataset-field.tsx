/** Another of the person's tables (contract: dataset): one of the list of files, or several. */
import type { DatasetField as Declaration } from '@hengxi/contracts/contract';
import { integer } from '@hengxi/contracts/format';
import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';

import { errorText } from '../../lib/api.ts';
import { findableFilesQuery } from '../../lib/catalogue.ts';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow, titleId } from '../parts.tsx';
import styles from './dataset-field.module.css';
import type { Named } from './read-dataset.ts';
import { readDatasets, withDatasets } from './read-dataset.ts';

interface Option {
  value: number;
  label: string;
  size: string;
}

function wordsOf({ data }: { data: Option }) {
  return (
    <span className={styles['option']}>
      <span>{data.label}</span>
      <small>{data.size}</small>
    </span>
  );
}

export function DatasetField({ field, value }: FieldProps<Declaration>) {
  const { fields, form, apply, readOnly, resolved } = useForm();
  const files = useQuery(findableFilesQuery);
  const chosen = readDatasets(field, value);
  const known = new Map(readDatasets(field, resolved[field.key]).map((one) => [one.vid, one.name ?? '']));
  const listed: Option[] = (files.data?.list ?? []).map(({ vid, name, rows, columns }) => ({
    value: vid,
    label: name,
    size: `${integer(rows)} 行，${integer(columns)} 列`,
  }));
  // An older version, or one of a file further down the list, keeps its name.
  const others = chosen
    .filter(({ vid }) => !listed.some((one) => one.value === vid))
    .map(({ vid, name }): Option => ({ value: vid, label: name ?? known.get(vid) ?? `版本 ${vid}`, size: '' }));
  const options = [...listed, ...others];
  const nameOf = (vid: number): string => options.find((one) => one.value === vid)?.label ?? '';
  const change = (vids: readonly number[]): void => {
    const named = vids.map((vid): Named => ({ vid, name: nameOf(vid) }));
    const words = named.map(({ name }) => name).join('、');
    apply(withDatasets(fields, form, field, named), `${field.title}：${words === '' ? '清空' : words}`);
  };
  const shared = {
    'aria-labelledby': titleId(field.key),
    className: styles['picker'] ?? '',
    disabled: readOnly,
    loading: files.isPending,
    allowClear: true,
    placeholder: files.isPending ? '正在读取' : '选择一份数据',
    notFoundContent: '没有这样的数据',
    showSearch: { optionFilterProp: 'label' },
    options,
    optionRender: wordsOf,
  };
  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint} stacked>
      <div className={styles['dataset']}>
        {field.many ? (
          <Select<number[], Option>
            {...shared}
            mode="multiple"
            value={chosen.map(({ vid }) => vid)}
            onChange={(next) => change(next)}
          />
        ) : (
          <Select<number | null, Option>
            {...shared}
            value={chosen[0]?.vid ?? null}
            onChange={(next: number | null | undefined) => change(next === null || next === undefined ? [] : [next])}
          />
        )}
        {files.isLoadingError ? (
          <p className={styles['note']}>
            数据列表没有读到：{errorText(files.error)}{' '}
            <button type="button" className="hx-link" onClick={() => void files.refetch()}>
              重试
            </button>
          </p>
        ) : null}
        {files.isSuccess && files.data.list.length === 0 ? (
          <p className={styles['note']}>还没有别的数据。先在“我的数据”里上传，就会出现在这里。</p>
        ) : null}
      </div>
    </FieldRow>
  );
}
