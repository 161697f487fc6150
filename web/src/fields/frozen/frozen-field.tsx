/** Control limits kept from an earlier report (contract: frozen): new data are judged by them. */
import type { FrozenField as Declaration } from '@hengxi/contracts/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Select } from 'antd';
import { useState } from 'react';

import { errorText } from '../../lib/api.ts';
import { LIMITS_KEY, limitsOrigin, limitsQuery, limitsText, removeLimits } from '../../lib/control-limits.ts';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { isRecord } from '../form.ts';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow, titleId } from '../parts.tsx';
import styles from './frozen-field.module.css';

const NONE = 0;

export function FrozenField({ field, value }: FieldProps<Declaration>) {
  const { set, readOnly, path = '' } = useForm();
  const client = useQueryClient();
  const all = useQuery({ ...limitsQuery(path), enabled: path !== '' });
  const [leaving, setLeaving] = useState(false);
  const [working, setWorking] = useState(false);
  const list = all.data?.list ?? [];
  const id = isRecord(value) && typeof value['id'] === 'number' ? value['id'] : NONE;
  const chosen = list.find((one) => one.id === id);
  const isGone = id !== NONE && all.isSuccess && chosen === undefined;
  const choose = (next: number): void =>
    set(field.key, next === NONE ? null : { id: next }, {
      text: `${field.title}：${list.find((one) => one.id === next)?.name ?? '由这批数据估计'}`,
    });
  const remove = async (): Promise<void> => {
    setWorking(true);
    try {
      await removeLimits(id);
      choose(NONE);
      await client.invalidateQueries({ queryKey: [LIMITS_KEY] });
      setLeaving(false);
      toast.done('已删除');
    } catch {
      // The client has said what went wrong.
    } finally {
      setWorking(false);
    }
  };
  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint} stacked>
      <div className={styles['field']}>
        <Select
          aria-labelledby={titleId(field.key)}
          className={styles['picker'] ?? ''}
          disabled={readOnly}
          loading={all.isLoading}
          value={id}
          showSearch={list.length > 6 ? { optionFilterProp: 'search' } : false}
          options={[
            { value: NONE, search: '', label: '由这批数据估计' },
            ...(isGone ? [{ value: id, search: '', label: '已删除的控制限' }] : []),
            ...list.map((one) => ({
              value: one.id,
              search: `${one.name} ${one.report} ${one.variable}`,
              label: (
                <span className={styles['option']}>
                  <span>{one.name}</span>
                  <small>{limitsText(one)}</small>
                </span>
              ),
            })),
          ]}
          onChange={choose}
        />
        {all.isLoadingError ? (
          <p className={styles['note']}>
            控制限列表没有读到：{errorText(all.error)}{' '}
            <button type="button" className="hx-link" onClick={() => void all.refetch()}>
              重试
            </button>
          </p>
        ) : null}
        {all.isSuccess && list.length === 0 ? (
          <p className={styles['note']}>还没有冻结的控制限。在同一种控制图的报告里点“冻结控制限”，就会出现在这里。</p>
        ) : null}
        {chosen === undefined ? null : (
          <p className={styles['note']}>
            {limitsText(chosen)}。来自 {limitsOrigin(chosen)}。
            {readOnly ? null : (
              <Button size="small" type="text" onClick={() => setLeaving(true)}>
                删除
              </Button>
            )}
          </p>
        )}
      </div>
      <ConfirmDialog
        open={leaving}
        title="删除这份控制限？"
        text={`“${chosen?.name ?? ''}”删除后不能再用于新的数据；已经做好的报告不变。`}
        act="删除"
        danger
        working={working}
        onAct={() => void remove()}
        onClose={() => setLeaving(false)}
      />
    </FieldRow>
  );
}
