/** What is asked of the experts themselves, once: who they are, what they judge by, how well they know the field. */
import { ABOUT_OPTIONS, MOST_YEARS } from '@hengxi/server/expert-questionnaires/schema';
import type { AnswerPage } from '@hengxi/server/expert-questionnaires/schema';
import { Input, InputNumber } from 'antd';

import styles from './answer.module.css';
import type { Sheet } from './use-sheet.ts';
import { ABOUT_NAMES } from './words.ts';

const INFLUENCES = [
  { value: 'large', text: '大' },
  { value: 'medium', text: '中' },
  { value: 'small', text: '小' },
] as const;

/** None where an earlier round has been told everything. */
export function aboutKeys({ kind, protocol, before }: Pick<AnswerPage, 'kind' | 'protocol' | 'before'>): string[] {
  const authority =
    kind === 'delphi' && protocol.ask_authority ? [...protocol.ca.map(({ id }) => `ca:${id}`), 'cs'] : [];
  const keys = [...protocol.about.map((one) => `about:${one}`), ...authority];
  return keys.every((key) => before[key] !== undefined) ? [] : keys;
}

export function AboutYou({ page, sheet }: { page: AnswerPage; sheet: Sheet }) {
  const { protocol } = page;
  if (aboutKeys(page).length === 0) return null;
  return (
    <>
      <h2 className={styles['dimension']}>关于您自己</h2>
      {protocol.about.map((one) => (
        <Background key={one} what={one} sheet={sheet} />
      ))}
      {page.kind === 'delphi' && protocol.ask_authority ? (
        <>
          <p className={styles['hint']}>下面各项对您刚才的判断影响有多大？每项都请选一个。</p>
          {protocol.ca.map(({ id, name }) => (
            <Choice key={id} name={`ca:${id}`} legend={name} options={INFLUENCES} sheet={sheet} inRow />
          ))}
          <Choice
            name="cs"
            legend="您对这个领域的熟悉程度"
            options={protocol.cs.map(({ name, value }) => ({ text: name, value }))}
            sheet={sheet}
          />
        </>
      ) : null}
    </>
  );
}

function Background({ what, sheet }: { what: AnswerPage['protocol']['about'][number]; sheet: Sheet }) {
  const key = `about:${what}`;
  const value = sheet.values[key];
  const options = ABOUT_OPTIONS[what];
  if (options)
    return (
      <Choice
        name={key}
        legend={`您的${ABOUT_NAMES[what]}`}
        options={options.map((text) => ({ value: text, text }))}
        sheet={sheet}
        inRow
      />
    );
  return (
    <fieldset className={styles['question']} id={key}>
      <legend>您的{ABOUT_NAMES[what]}</legend>
      {what === 'years' ? (
        <InputNumber
          aria-label="工作年限（年）"
          min={0}
          max={MOST_YEARS}
          precision={0}
          suffix="年"
          value={typeof value === 'number' ? value : null}
          onChange={(years) => sheet.set(key, years)}
        />
      ) : (
        <Input
          aria-label="专业领域"
          maxLength={60}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => sheet.set(key, event.target.value)}
        />
      )}
    </fieldset>
  );
}

interface ChoiceProps {
  name: string;
  legend: string;
  options: readonly { value: number | string; text: string }[];
  sheet: Sheet;
  /** Short options side by side. */
  inRow?: boolean;
}

function Choice({ name, legend, options, sheet, inRow = false }: ChoiceProps) {
  if (inRow)
    return (
      <fieldset className={styles['question']} id={name}>
        <legend>{legend}</legend>
        <div className={styles['scores']}>
          {options.map(({ value, text }) => (
            <label key={value} className={styles['score']}>
              <input
                type="radio"
                name={name}
                checked={sheet.values[name] === value}
                onChange={() => sheet.set(name, value)}
              />
              <span>{text}</span>
            </label>
          ))}
        </div>
      </fieldset>
    );
  return (
    <fieldset className={styles['question']} id={name}>
      <legend>{legend}</legend>
      {options.map(({ value, text }) => (
        <label key={value} className={styles['skip']}>
          <input
            type="radio"
            name={name}
            checked={sheet.values[name] === value}
            onChange={() => sheet.set(name, value)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
