/** An equation, symbols first, then with its numbers. TeX comes from our engine; numbers are filled by format.ts. */
import { CopyOutlined } from '@ant-design/icons';
import type { FormulaElement } from '@hengxi/contracts/contract';
import { texOf } from '@hengxi/contracts/report/tex';
import katex from 'katex';
import { useMemo } from 'react';

import 'katex/dist/katex.min.css';

import { copyForms } from '../clipboard.ts';
import { useReading } from '../context.ts';
import tools from '../tools.module.css';
import styles from './formula.module.css';

export function Formula({ formula }: { formula: FormulaElement }) {
  const reading = useReading();
  const lines = texOf(formula, reading);
  return (
    <figure className={styles['formula']} data-block={formula.id}>
      <div className={tools['tools']}>
        <button
          type="button"
          className={tools['tool']}
          onClick={() => void copyForms({ text: lines.join('\n') }, 'LaTeX 已复制')}
        >
          <CopyOutlined aria-hidden /> 复制 LaTeX
        </button>
      </div>
      <figcaption className={styles['title']}>
        {formula.title}
        {formula.at === null ? '' : `：${formula.at}`}
      </figcaption>
      {lines.map((line) => (
        <Tex key={line} tex={line} label={formula.title} />
      ))}
    </figure>
  );
}

function Tex({ tex, label }: { tex: string; label: string }) {
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
  // A long formula scrolls inside itself, by keys too.
  return (
    <div
      className={styles['tex']}
      role="region"
      aria-label={label}
      tabIndex={0}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
