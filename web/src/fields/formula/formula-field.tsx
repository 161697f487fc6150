/** A formula over the columns (contract: formula): a condition is built from rows, an expression is written with columns put in by name. */
import { PlusOutlined } from '@ant-design/icons';
import { Button, Dropdown, Input } from 'antd';
import type { TextAreaRef } from 'antd/es/input/TextArea';
import { useRef } from 'react';

import { MeasureIcon, measureKind } from '../../ui/measure-icon.tsx';
import { titleOf } from '../column.ts';
import { ConditionEditor } from '../condition/condition-editor.tsx';
import { columnsIn } from '../condition/words.ts';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow, titleId } from '../parts.tsx';
import styles from './formula-field.module.css';

export interface FormulaDeclaration {
  key: string;
  title: string;
  hint: string | null;
  kind: 'expression' | 'condition';
}

const LONGEST = 2000;

/** `{c3}` in the middle of the text, with a blank where two names would run together. */
export function insertColumn(text: string, at: number, id: string): string {
  const before = text.slice(0, at);
  const gap = /[\w}\u4e00-\u9fff]$/u.test(before) ? ' ' : '';
  return `${before}${gap}{${id}}${text.slice(at)}`;
}

function Expression({ field, value }: FieldProps<FormulaDeclaration>) {
  const { columns, known, set, readOnly } = useForm();
  const area = useRef<TextAreaRef>(null);
  const text = typeof value === 'string' ? value : '';
  const change = (next: string): void =>
    set(field.key, next === '' ? null : next, { text: `修改${field.title}`, tag: field.key });
  const put = (id: string): void => {
    const at = area.current?.resizableTextArea?.textArea.selectionStart ?? text.length;
    change(insertColumn(text, at, id));
    area.current?.focus();
  };
  return (
    <>
      <Input.TextArea
        ref={area}
        aria-labelledby={titleId(field.key)}
        className={styles['code'] ?? ''}
        autoSize={{ minRows: 2, maxRows: 8 }}
        maxLength={LONGEST}
        disabled={readOnly}
        placeholder="例如 {c3} / ({c4} / 100) ^ 2"
        value={text}
        onChange={(event) => change(event.target.value)}
      />
      <p className={styles['legend']}>
        {columnsIn(text).map((id) => {
          const column = known.get(id);
          return <span key={id}>{`{${id}} = ${column === undefined ? '已不存在' : titleOf(column)}`}</span>;
        })}
      </p>
      {readOnly ? null : (
        <Dropdown
          trigger={['click']}
          menu={{
            style: { maxHeight: 320, overflowY: 'auto' },
            items: columns.map((column) => ({
              key: column.id,
              icon: <MeasureIcon kind={measureKind(column)} decorative />,
              label: titleOf(column),
            })),
            onClick: ({ key }) => put(key),
          }}
        >
          <Button size="small" icon={<PlusOutlined />}>
            插入变量
          </Button>
        </Dropdown>
      )}
    </>
  );
}

export function FormulaField({ field, value }: FieldProps<FormulaDeclaration>) {
  const { set } = useForm();
  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint} stacked>
      {field.kind === 'condition' ? (
        <ConditionEditor
          value={typeof value === 'string' ? value : ''}
          onChange={(next) => set(field.key, next === '' ? null : next, { text: `修改${field.title}`, tag: field.key })}
        />
      ) : (
        <Expression field={field} value={value} />
      )}
    </FieldRow>
  );
}
