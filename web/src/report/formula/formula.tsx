/** An equation, symbols first, then with its numbers. TeX comes from our engine; numbers are filled by format.ts. */
import { CopyOutlined } from '@ant-design/icons';
import type { FormulaElement } from '@hengxi/contracts/contract';
import { plain } from '@hengxi/contracts/format';
import katex from 'katex';
import { useMemo } from 'react';

import 'katex/dist/katex.min.css';

import { copyForms } from '../clipboard.ts';
import { useReading } from '../context.ts';
import tools from '../tools.module.css';
import styles from './formula.module.css';

/** Signs of format.ts as TeX reads them; a number in a fact is ours, a name is protected by text mode in the template. */
function texNumbers(text: string): string {
  return text
    .replaceAll('−', '-')
    .replaceAll('+ -', '- ')
    .replaceAll('×10', '\\times 10')
    .replace(
      /[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+/g,
      (run) => `^{${[...run].map((c) => '0123456789-'['⁰¹²³⁴⁵⁶⁷⁸⁹⁻'.indexOf(c)] ?? '').join('')}}`,
    );
}

export function Formula({ formula }: { formula: FormulaElement }) {
  const reading = useReading();
  const filled = formula.filled === null ? null : texNumbers(fillTex(formula.filled, formula.facts, reading));
  return (
    <figure className={styles['formula']} data-block={formula.id}>
      <div className={tools['tools']}>
        <button
          type="button"
          className={tools['tool']}
          onClick={() =>
            void copyForms(
              { text: [formula.symbolic, ...(filled === null ? [] : [filled])].join('\n') },
              'LaTeX 已复制',
            )
          }
        >
          <CopyOutlined aria-hidden /> 复制 LaTeX
        </button>
      </div>
      <figcaption className={styles['title']}>
        {formula.title}
        {formula.at === null ? '' : `：${formula.at}`}
      </figcaption>
      <Tex tex={formula.symbolic} />
      {filled === null ? null : <Tex tex={filled} />}
    </figure>
  );
}

/** `{b0:num}` is a fact, `{b}` of TeX is not: only names of facts are filled. */
function fillTex(template: string, facts: FormulaElement['facts'], reading: ReturnType<typeof useReading>): string {
  return template.replace(/\{([\p{L}\p{N}_.]+)(?::(\+?\w+))?\}/gu, (whole, name: string) =>
    name in facts ? plain(whole, facts, reading) : whole,
  );
}

function Tex({ tex }: { tex: string }) {
  // KaTeX escapes what it is given; `trust` stays off, so no links and no HTML can come from it.
  const html = useMemo(
    () =>
      katex.renderToString(tex, {
        displayMode: true,
        throwOnError: false,
        trust: false,
        strict: 'ignore',
        output: 'htmlAndMathml',
      }),
    [tex],
  );
  return <div className={styles['tex']} dangerouslySetInnerHTML={{ __html: html }} />;
}
