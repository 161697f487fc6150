/** Model terms (contract: terms): one click for the usual models, chips A, B, A×B for one's own. */
import type { TermsField as Declaration } from '@hengxi/contracts/contract';
import { CloseOutlined } from '@ant-design/icons';
import { Button, Segmented } from 'antd';
import { useState } from 'react';

import { titleOf } from '../column.ts';
import { useForm } from '../form-context.tsx';
import { columnsOf } from '../level/level-field.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow, titleId } from '../parts.tsx';
import { ManySelect } from '../../ui/many-select.tsx';
import type { Model, Preset, Term } from './read-terms.ts';
import { PRESET_WORD, presetTerms, readModel, sameTerm, termWords, writeModel } from './read-terms.ts';
import styles from './terms-field.module.css';

interface ChipsProps {
  terms: readonly Term[];
  nameOf: (id: string) => string;
  onRemove: ((term: Term) => void) | null;
}

function Chips({ terms, nameOf, onRemove }: ChipsProps) {
  return (
    <ul className={styles['chips']}>
      {terms.map((term) => {
        const words = termWords(term, nameOf);
        return (
          <li key={words} className={styles['chip']}>
            {words}
            {onRemove === null ? null : (
              <button type="button" aria-label={`去掉项 ${words}`} onClick={() => onRemove(term)}>
                <CloseOutlined aria-hidden />
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

export function TermsField({ field, value }: FieldProps<Declaration>) {
  const { form, known, set, readOnly, announce } = useForm();
  const [picked, setPicked] = useState<string[]>([]);
  const columns = columnsOf(field.of, form, known);
  const ids = columns.map((column) => column.id);
  const model = readModel(value);
  const nameOf = (id: string): string => {
    const column = known.get(id);
    return column === undefined ? id : titleOf(column);
  };
  const shown = model.preset === 'custom' ? model.terms : presetTerms(model.preset, ids, field.order);
  const store = (next: Model, text: string): void => set(field.key, writeModel(next), { text });

  const choose = (preset: Preset): void => {
    // One's own model starts from what was on screen.
    store({ preset, terms: preset === 'custom' ? shown : [] }, `${field.title}：${PRESET_WORD[preset]}`);
  };
  const add = (): void => {
    const term: Term = { columns: ids.filter((id) => picked.includes(id)), nested: false };
    setPicked([]);
    if (term.columns.length === 0 || model.terms.some((one) => sameTerm(one, term))) return;
    const words = termWords(term, nameOf);
    announce(`已加入项 ${words}`);
    store({ preset: 'custom', terms: [...model.terms, term] }, `${field.title}：加入 ${words}`);
  };
  const remove = (term: Term): void => {
    store(
      { preset: 'custom', terms: model.terms.filter((one) => !sameTerm(one, term)) },
      `${field.title}：去掉 ${termWords(term, nameOf)}`,
    );
  };

  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint} stacked>
      <Segmented
        aria-labelledby={titleId(field.key)}
        disabled={readOnly}
        value={model.preset}
        onChange={choose}
        options={field.presets.map((preset) => ({ value: preset, label: PRESET_WORD[preset] }))}
      />
      {ids.length === 0 ? (
        <p className={styles['none']}>放入变量后，这里列出模型的项</p>
      ) : (
        <Chips terms={shown} nameOf={nameOf} onRemove={model.preset === 'custom' && !readOnly ? remove : null} />
      )}
      {model.preset === 'custom' && ids.length > 0 && !readOnly ? (
        <div className={styles['add']}>
          <ManySelect
            aria-label="新项的变量"
            placeholder="选 1 个变量，或几个相乘"
            style={{ flex: 1 }}
            maxCount={field.order}
            value={picked}
            onChange={setPicked}
            options={columns.map((column) => ({ value: column.id, label: titleOf(column) }))}
          />
          <Button disabled={picked.length === 0} onClick={add}>
            加入
          </Button>
        </div>
      ) : null}
    </FieldRow>
  );
}
