/** One of the person's saved models, and which columns answer its variables (contract: model). */
import type { ModelFeature, ModelField as Declaration } from '@hengxi/contracts/contract';
import { useQuery } from '@tanstack/react-query';
import { Button, Select } from 'antd';
import { useState } from 'react';

import { errorText } from '../../lib/api.ts';
import { modelQuery, modelsQuery, scoresOf, scoreText, type ModelRow } from '../../lib/models.ts';
import type { Column } from '../column.ts';
import { titleOf } from '../column.ts';
import { isRecord } from '../form.ts';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow, titleId } from '../parts.tsx';
import { ModelsDialog } from './models-dialog.tsx';
import styles from './model-field.module.css';

const numberIn = (value: unknown, key: string): number | null => {
  const found = isRecord(value) ? value[key] : undefined;
  return typeof found === 'number' ? found : null;
};

const columnsIn = (value: unknown): Record<string, unknown> => {
  const found = isRecord(value) ? value['columns'] : undefined;
  return isRecord(found) ? found : {};
};

const nameOf = (feature: ModelFeature): string => feature.label ?? feature.name;

/** 准确率 95.6%: what tells two models of one outcome apart. */
function scoreOf({ scores }: ModelRow): string {
  const [name, value] = scoresOf(scores)[0] ?? [];
  return name === undefined || value === undefined ? '' : scoreText(name, value);
}

function optionOf(model: ModelRow) {
  const name = model.name ?? model.method;
  return {
    value: model.model_id,
    search: `${name} ${model.method} ${model.target}`,
    label: (
      <span className={styles['option']}>
        <span>{name}</span>
        <small>
          {model.method}，预测“{model.target}”，{scoreOf(model)}
        </small>
      </span>
    ),
  };
}

export function ModelField({ field, value }: FieldProps<Declaration>) {
  const { set, resolved, readOnly } = useForm();
  const [managing, setManaging] = useState(false);
  const all = useQuery(modelsQuery(field.task));
  const list = all.data?.list ?? [];
  const id = numberIn(value, 'model_id') ?? numberIn(resolved[field.key], 'model_id') ?? list[0]?.model_id ?? null;
  const chosen = list.find((model) => model.model_id === id);
  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint} stacked>
      <div className={styles['model']}>
        <Select
          aria-labelledby={titleId(field.key)}
          className={styles['picker'] ?? ''}
          disabled={readOnly}
          loading={all.isPending}
          placeholder={all.isPending ? '正在读取' : '还没有保存的模型'}
          notFoundContent="没有这样的模型"
          showSearch={list.length > 6 ? { optionFilterProp: 'search' } : false}
          value={chosen?.model_id ?? null}
          options={list.map(optionOf)}
          onChange={(next: number) => {
            const name = list.find((model) => model.model_id === next)?.name ?? '';
            set(field.key, { model_id: next }, { text: `${field.title}：${name}` });
          }}
        />
        {all.isLoadingError ? (
          <p className={styles['empty']}>
            模型列表没有读到：{errorText(all.error)}{' '}
            <button type="button" className="hx-link" onClick={() => void all.refetch()}>
              重试
            </button>
          </p>
        ) : null}
        {all.isSuccess && list.length === 0 ? (
          <p className={styles['empty']}>先训练一个模型，在它的报告里点“保存模型”，就会出现在这里。</p>
        ) : null}
        {list.length > 0 ? (
          <Button size="small" type="text" className={styles['manage'] ?? ''} onClick={() => setManaging(true)}>
            管理已保存的模型
          </Button>
        ) : null}
        {chosen === undefined ? null : <Mapping key={chosen.model_id} field={field} value={value} model={chosen} />}
      </div>
      <ModelsDialog open={managing} task={field.task} onClose={() => setManaging(false)} />
    </FieldRow>
  );
}

/** Every variable of the model with the column that answers it; what has none is shown first. */
function Mapping({ field, value, model }: { field: Declaration; value: unknown; model: ModelRow }) {
  const { set, resolved, columns, readOnly } = useForm();
  const [open, setOpen] = useState(false);
  const card = useQuery(modelQuery(model.model_id));
  if (card.data === undefined) return null;
  const { features } = card.data.card;
  const own = columnsIn(value);
  const found = columnsIn(resolved[field.key]);
  const columnOf = (feature: ModelFeature): Column | undefined => {
    const given = feature.key in own ? own[feature.key] : found[feature.key];
    return columns.find((column) => column.id === given);
  };
  const missing = features.filter((feature) => columnOf(feature) === undefined);
  const change = (feature: ModelFeature, to: string | null): void =>
    set(
      field.key,
      { model_id: model.model_id, columns: { ...own, [feature.key]: to } },
      { text: `“${nameOf(feature)}”对应的变量` },
    );
  const shown = open ? features : missing;
  return (
    <div className={styles['mapping']}>
      <p className={styles['count']}>
        <span>
          模型变量 {features.length} 个，已对应 {features.length - missing.length} 个
        </span>
        <button type="button" className="hx-link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? '收起' : '查看对应关系'}
        </button>
      </p>
      {shown.length > 0 ? (
        <ul className={styles['rows']}>
          {shown.map((feature) => (
            <li key={feature.key} data-missing={columnOf(feature) === undefined ? '' : undefined}>
              <span className={styles['feature']} title={nameOf(feature)}>
                {nameOf(feature)}
                <small>{feature.measure}</small>
              </span>
              <Select
                size="small"
                className={styles['column'] ?? ''}
                aria-label={`“${nameOf(feature)}”对应的变量`}
                disabled={readOnly}
                allowClear
                placeholder="选择变量"
                showSearch={{ optionFilterProp: 'label' }}
                value={columnOf(feature)?.id ?? null}
                options={columns.map((column) => ({ value: column.id, label: titleOf(column) }))}
                onChange={(next: string | null | undefined) => change(feature, next ?? null)}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
