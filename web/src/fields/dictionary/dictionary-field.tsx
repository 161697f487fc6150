/** Words of a user (contract: dictionary): a built-in list, one of the saved dictionaries, and lines of this form alone. */
import type { DictionaryField as Declaration } from '@hengxi/contracts/contract';
import { useQuery } from '@tanstack/react-query';
import { Button, Input, Select } from 'antd';
import { useState } from 'react';

import { errorText } from '../../lib/api.ts';
import { dictionariesQuery } from '../../lib/texts.ts';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow } from '../parts.tsx';
import styles from './dictionary-field.module.css';
import { DictionaryDialog } from './dictionary-dialog.tsx';
import { type DictionaryValue, readDictionary, WRITING } from './read-dictionary.ts';

export function DictionaryField({ field, value }: FieldProps<Declaration>) {
  const { set, readOnly } = useForm();
  const [managing, setManaging] = useState(false);
  const all = useQuery(dictionariesQuery(field.kind));
  const list = all.data?.list ?? [];
  const now = readDictionary(field, value);
  const { noun, example } = WRITING[field.kind];
  const change = (to: Partial<DictionaryValue>, what: string, tag?: string): void =>
    set(field.key, { ...now, ...to }, { text: `${field.title}：${what}`, ...(tag === undefined ? {} : { tag }) });
  const isGone = now.id !== null && all.isSuccess && !list.some(({ id }) => id === now.id);
  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint} stacked>
      <div className={styles['field']}>
        <div className={styles['line']}>
          {field.builtins.length === 0 ? null : (
            <Select
              aria-label={`${field.title}：内置词表`}
              className={styles['pick'] ?? ''}
              disabled={readOnly}
              value={now.builtin ?? ''}
              options={[
                ...field.builtins.map((name) => ({ value: name, label: `内置：${name}` })),
                { value: '', label: '不用内置词表' },
              ]}
              onChange={(next: string) => change({ builtin: next === '' ? null : next }, next || '不用内置词表')}
            />
          )}
          <Select
            aria-label={`${field.title}：我的${noun}`}
            className={styles['pick'] ?? ''}
            disabled={readOnly}
            loading={all.isPending}
            value={now.id ?? 0}
            options={[
              { value: 0, label: `不用我的${noun}` },
              ...(isGone && now.id !== null ? [{ value: now.id, label: '已删除的词典' }] : []),
              ...list.map(({ id, name, size }) => ({ value: id, label: `${name}（${size} 行）` })),
            ]}
            onChange={(next: number) =>
              change(
                next === 0 ? { id: null, version: null } : { id: next, version: null },
                list.find(({ id }) => id === next)?.name ?? `不用我的${noun}`,
              )
            }
          />
          <Button size="small" type="text" disabled={readOnly} onClick={() => setManaging(true)}>
            管理{noun}
          </Button>
        </div>
        {all.isLoadingError ? (
          <p className={styles['note']}>
            词典列表没有读到：{errorText(all.error)}{' '}
            <button type="button" className="hx-link" onClick={() => void all.refetch()}>
              重试
            </button>
          </p>
        ) : null}
        <Input.TextArea
          aria-label={`${field.title}：只用于这次分析的行`}
          placeholder={example}
          autoSize={{ minRows: 1, maxRows: 6 }}
          disabled={readOnly}
          value={now.extra.join('\n')}
          onChange={(event) =>
            change({ extra: event.target.value === '' ? [] : event.target.value.split('\n') }, '修改', field.key)
          }
        />
      </div>
      {managing ? (
        <DictionaryDialog
          kind={field.kind}
          extra={now.extra.filter((line) => line.trim() !== '')}
          onClose={() => setManaging(false)}
          onPick={(id, name) => change({ id, version: null }, name)}
        />
      ) : null}
    </FieldRow>
  );
}
