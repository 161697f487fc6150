/** Repeated measures (contract: within): names of the times, then a place for a variable at each; or three boxes of a long table. */
import type { WithinField as Declaration } from '@hengxi/contracts/contract';
import { CloseOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Input, Segmented } from 'antd';

import { CellBox } from '../boxes/cell-box.tsx';
import { VariableBox } from '../boxes/variable-box.tsx';
import { useForm } from '../form-context.tsx';
import type { FieldProps } from '../parts.tsx';
import { Faults, Hint } from '../parts.tsx';
import type { Factor, Wide } from './read-within.ts';
import { combinations, freshLevel, readWithin, withFactors, withinKey } from './read-within.ts';
import styles from './within-field.module.css';

const LAYOUT_WORD = { wide: '每次一列', long: '每次一行' } as const;
const FACTOR_NAMES = ['时间', '条件', '任务'];

interface FactorsProps {
  field: Declaration;
  wide: Wide;
}

function Factors({ field, wide }: FactorsProps) {
  const { set, readOnly } = useForm();
  const { factors } = wide;
  const store = (next: readonly Factor[], text: string, tag?: string): void =>
    set(field.key, withFactors(wide, next), tag === undefined ? { text } : { text, tag });
  const change = (at: number, factor: Factor, text: string, tag?: string): void =>
    store(factors.with(at, factor), text, tag);

  return (
    <>
      {factors.map((factor, at) => (
        <fieldset key={at} className={styles['factor']} disabled={readOnly}>
          <legend className="hx-hidden">因素 {at + 1}</legend>
          <Input
            size="small"
            aria-label={`因素 ${at + 1} 的名称`}
            style={{ width: 96, fontWeight: 600 }}
            value={factor.name}
            maxLength={40}
            onChange={(event) =>
              change(at, { ...factor, name: event.target.value }, `修改${field.title}`, `${field.key}.f${at}`)
            }
          />
          {factor.levels.map((level, k) => (
            <span key={k} className={styles['level']}>
              <Input
                size="small"
                aria-label={`${factor.name}的第 ${k + 1} 个水平`}
                style={{ width: 84 }}
                value={level}
                maxLength={40}
                onChange={(event) =>
                  change(
                    at,
                    { ...factor, levels: factor.levels.with(k, event.target.value) },
                    `修改${field.title}`,
                    `${field.key}.f${at}.${k}`,
                  )
                }
              />
              {readOnly || factor.levels.length <= field.levels[0] ? null : (
                <button
                  type="button"
                  aria-label={`去掉水平“${level}”`}
                  onClick={() =>
                    change(
                      at,
                      { ...factor, levels: factor.levels.filter((_, index) => index !== k) },
                      `${field.title}：去掉水平“${level}”`,
                    )
                  }
                >
                  <CloseOutlined aria-hidden />
                </button>
              )}
            </span>
          ))}
          {readOnly || factor.levels.length >= field.levels[1] ? null : (
            <Button
              type="text"
              size="small"
              icon={<PlusOutlined aria-hidden />}
              onClick={() =>
                change(
                  at,
                  { ...factor, levels: [...factor.levels, freshLevel(factor.levels)] },
                  `${field.title}：加一个水平`,
                )
              }
            >
              加水平
            </Button>
          )}
          {readOnly || factors.length <= field.factors[0] ? null : (
            <Button
              type="text"
              size="small"
              icon={<CloseOutlined aria-hidden />}
              aria-label={`去掉因素“${factor.name}”`}
              onClick={() =>
                store(
                  factors.filter((_, index) => index !== at),
                  `${field.title}：去掉因素“${factor.name}”`,
                )
              }
            />
          )}
        </fieldset>
      ))}
      {readOnly || factors.length >= field.factors[1] ? null : (
        <Button
          size="small"
          icon={<PlusOutlined aria-hidden />}
          onClick={() =>
            store(
              [...factors, { name: FACTOR_NAMES[factors.length] ?? `因素${factors.length + 1}`, levels: ['甲', '乙'] }],
              `${field.title}：加一个因素`,
            )
          }
        >
          加一个因素
        </Button>
      )}
    </>
  );
}

export function WithinField({ field, value }: FieldProps<Declaration>) {
  const { boxes, set, readOnly } = useForm();
  const shown = readWithin(field, value);
  const mine = boxes.filter((box) => box.field === field.key);
  return (
    <section className={styles['within']} data-field={field.key} aria-labelledby={`within-${field.key}`}>
      <div className={styles['head']}>
        <h2 id={`within-${field.key}`}>
          {field.title}
          <Hint text={field.hint} />
        </h2>
        {field.layouts.length > 1 ? (
          <Segmented
            size="small"
            aria-label="数据的排列"
            disabled={readOnly}
            value={shown.layout}
            options={field.layouts.map((layout) => ({ value: layout, label: LAYOUT_WORD[layout] }))}
            onChange={(layout) => set(field.key, { layout }, { text: `${field.title}：${LAYOUT_WORD[layout]}` })}
          />
        ) : null}
      </div>
      {shown.layout === 'wide' ? (
        <>
          <Factors field={field} wide={shown} />
          <ul className={styles['cells']}>
            {combinations(shown.factors).map((levels, at) => {
              const box = mine.find(({ key }) => key === withinKey(field.key, at));
              return (
                <li key={at}>
                  <span>{levels.join(' · ')}</span>
                  {box === undefined ? null : <CellBox box={box} empty="拖入变量，可一次放多个" />}
                </li>
              );
            })}
          </ul>
        </>
      ) : (
        mine.map((box) => {
          const index = boxes.indexOf(box);
          return <VariableBox key={box.key} box={box} number={index < 9 ? index + 1 : null} />;
        })
      )}
      <Faults of={field.key} />
    </section>
  );
}
