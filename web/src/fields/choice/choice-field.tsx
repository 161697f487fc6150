/** One of several (contract: choice): a segmented control while the words fit one line, a list beyond. */
import type { ChoiceField as Declaration } from '@hengxi/contracts/contract';
import { Segmented, Select, Tooltip } from 'antd';

import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { FieldRow, titleId } from '../parts.tsx';
import { useHolds } from '../visible.ts';

/** antd cannot hold null as a value: the automatic choice has a key no method can use. */
const AUTO = '\u0000auto';
const LINE = 15;

/** Chinese characters count one, others half: what fits beside the title at 384 px. */
export function widthOf(words: readonly string[]): number {
  const text = words.join('');
  return [...text].reduce((sum, sign) => sum + (sign.charCodeAt(0) > 255 ? 1 : 0.55), 0) + words.length * 0.9;
}

export function ChoiceField({ field, value }: FieldProps<Declaration>) {
  const { set, resolved, readOnly } = useForm();
  const holds = useHolds();
  const chosen = typeof value === 'string' ? value : (field.default ?? AUTO);
  const automatic = field.options.find((option) => option.key === resolved[field.key])?.title;
  const auto =
    field.auto === null
      ? null
      : {
          key: AUTO,
          title: '自动',
          why: automatic === undefined ? field.auto.title : `自动：${automatic}`,
          greyed: false,
        };
  const options = [
    ...(auto === null ? [] : [auto]),
    ...field.options.map((option) => {
      const greyed = option.unless !== null && holds(option.unless);
      return { key: option.key, title: option.title, why: greyed ? option.why : option.hint, greyed };
    }),
  ];
  const change = (key: string): void => {
    const title = options.find((option) => option.key === key)?.title ?? key;
    set(field.key, key === AUTO ? null : key, { text: `${field.title}：${title}` });
  };
  const short = options.length <= 4 && widthOf([field.title, ...options.map((option) => option.title)]) <= LINE + 6;
  return (
    <FieldRow name={field.key} title={field.title} hint={field.hint}>
      {short ? (
        <Segmented
          aria-labelledby={titleId(field.key)}
          disabled={readOnly}
          value={chosen}
          onChange={change}
          options={options.map((option) => ({
            value: option.key,
            disabled: option.greyed,
            label:
              option.why === null || option.why === '' ? (
                option.title
              ) : (
                <Tooltip title={option.why}>{option.title}</Tooltip>
              ),
          }))}
        />
      ) : (
        <Select
          aria-labelledby={titleId(field.key)}
          disabled={readOnly}
          value={chosen}
          onChange={change}
          popupMatchSelectWidth={false}
          style={{ minWidth: 132, maxWidth: '100%' }}
          optionLabelProp="title"
          options={options.map((option) => ({
            value: option.key,
            title: option.title,
            disabled: option.greyed,
            label: (
              <span>
                {option.title}
                {option.why === null || option.why === '' ? null : (
                  <small style={{ color: 'var(--ink-3)', marginLeft: 8 }}>{option.why}</small>
                )}
              </span>
            ),
          }))}
        />
      )}
    </FieldRow>
  );
}
