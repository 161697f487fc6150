/** 试算: values typed into the report's model, answered at once. Without the model only its start is shown. */
import type { ModelFeature, TryElement } from '@hengxi/contracts/contract';
import { num, percent, text } from '@hengxi/contracts/format';
import { Button, Input, Select } from 'antd';
import { useId, useState } from 'react';

import { errorText } from '../../lib/api.ts';
import type { Answered, Given } from '../../lib/models.ts';
import { type ModelActions, useReport } from '../context.ts';
import styles from './try.module.css';

export interface TryProps {
  element: TryElement;
  /** Number of the model in the same part; null where it was not kept. */
  model: number | null;
}

const nameOf = (feature: ModelFeature): string => feature.label ?? feature.name;

export function Try({ element, model }: TryProps) {
  const { models } = useReport();
  const start = element.start[0] ?? {};
  if (models === undefined || model === null) return <Start element={element} start={start} />;
  return <Asking element={element} start={start} id={model} hand={models} />;
}

/** Nobody is here to answer: the case it starts from, in words. */
function Start({ element, start }: { element: TryElement; start: Given }) {
  const words = element.features.flatMap((feature) => {
    const value = start[feature.key] ?? null;
    const level = feature.levels?.find((one) => one.value === value)?.label;
    return value === null ? [] : [`${nameOf(feature)} = ${level ?? text(value)}`];
  });
  return (
    <div className={styles['try']} data-block={element.id}>
      <b>{element.title}</b> {words.join('，')}
    </div>
  );
}

interface AskingProps {
  element: TryElement;
  start: Given;
  id: number;
  hand: ModelActions;
}

function Asking({ element, start, id, hand }: AskingProps) {
  const [typed, setTyped] = useState<Record<string, string>>({});
  const values = { ...textsOf(element.features, start), ...typed };
  const [answered, setAnswered] = useState<{ by: number; answer: Answered } | null>(null);
  // Computed anew, the report has another model: what the one before said is not its answer.
  const answer = answered?.by === id ? answered.answer : null;
  const [trouble, setTrouble] = useState<string | null>(null);
  const [working, setWorking] = useState(false);
  const ask = async (): Promise<void> => {
    setWorking(true);
    setTrouble(null);
    try {
      setAnswered({ by: id, answer: await hand.ask(id, [valuesOf(element.features, values)]) });
    } catch (error) {
      setAnswered(null);
      setTrouble(errorText(error));
    } finally {
      setWorking(false);
    }
  };
  const change = (key: string, value: string): void => {
    setTyped({ ...typed, [key]: value });
    setAnswered(null);
  };
  return (
    <form
      className={styles['try']}
      data-block={element.id}
      aria-label={element.title}
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      <b>{element.title}</b>
      <div className={styles['values']}>
        {element.features.map((feature) => (
          <Value
            key={feature.key}
            feature={feature}
            value={values[feature.key] ?? ''}
            onChange={(value) => change(feature.key, value)}
          />
        ))}
      </div>
      <div className={styles['foot']}>
        <Button size="small" htmlType="submit" loading={working}>
          预测
        </Button>
        <output className={styles['answer']}>{trouble ?? (answer === null ? '' : <Spoken answer={answer} />)}</output>
      </div>
    </form>
  );
}

function Value({ feature, value, onChange }: { feature: ModelFeature; value: string; onChange: (v: string) => void }) {
  const id = useId();
  const outside = outsideOf(feature, value);
  return (
    <div className={styles['value']}>
      <label htmlFor={id} title={nameOf(feature)}>
        {nameOf(feature)}
      </label>
      {feature.levels === null ? (
        <Input
          id={id}
          size="small"
          inputMode="decimal"
          value={value}
          placeholder={feature.gaps ? '可以空着' : feature.fill === null ? '' : '空着按缺失填补'}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <Select
          id={id}
          size="small"
          allowClear={feature.gaps || feature.fill !== null}
          showSearch={feature.levels.length > 8 ? { optionFilterProp: 'label' } : false}
          value={value === '' ? null : value}
          options={feature.levels.map((level) => ({ value: String(level.value), label: level.label }))}
          onChange={(next: string | null | undefined) => onChange(next ?? '')}
        />
      )}
      {outside === null ? null : <small>{outside}</small>}
    </div>
  );
}

/** A tree cannot look beyond what it was trained on; the reader should know when a value lies there. */
function outsideOf({ low, high, whole }: ModelFeature, value: string): string | null {
  const typed = Number(value);
  const write = whole ? text : num;
  if (value.trim() === '' || low === null || high === null || Number.isNaN(typed)) return null;
  return typed < low || typed > high ? `训练数据在 ${write(low)} 至 ${write(high)} 之间` : null;
}

function Spoken({ answer }: { answer: Answered }) {
  const [row] = answer.rows;
  if (row === undefined) return null;
  if (row.status !== null || row.value === null) return <span>{row.status}</span>;
  const shares = row.probabilities ?? null;
  return (
    <>
      预测为<b>{typeof row.value === 'number' ? num(row.value) : text(row.value)}</b>
      {shares === null
        ? null
        : answer.classes.map((name, at) => (
            <span key={name} className={styles['share']}>
              {name} {percent(shares[at] ?? 0)}
            </span>
          ))}
    </>
  );
}

const textsOf = (features: readonly ModelFeature[], start: Given): Record<string, string> =>
  Object.fromEntries(features.map(({ key }) => [key, start[key] == null ? '' : String(start[key])]));

/** Typed texts as the values they stand for; what is no number travels as it is, the engine says what is wrong. */
function valuesOf(features: readonly ModelFeature[], typed: Record<string, string>): Given {
  return Object.fromEntries(
    features.map((feature) => {
      const value = (typed[feature.key] ?? '').trim();
      if (value === '') return [feature.key, null];
      if (feature.levels !== null)
        return [feature.key, feature.levels.find((level) => String(level.value) === value)?.value ?? value];
      return [feature.key, Number.isNaN(Number(value)) ? value : Number(value)];
    }),
  );
}
