/** 解读 in three voices; paragraphs without a voice belong to all. */
import { CopyOutlined } from '@ant-design/icons';
import type { TextElement, Voice } from '@hengxi/contracts/contract';
import { plain } from '@hengxi/contracts/format';
import { Segmented } from 'antd';
import type { ReactNode } from 'react';

import { copyForms } from '../clipboard.ts';
import { useReport } from '../context.ts';
import { Sentence } from '../words.tsx';
import styles from './interpretation.module.css';

const VOICES: readonly { value: Voice; label: string }[] = [
  { value: 'student', label: '学生版' },
  { value: 'paper', label: '论文版' },
  { value: 'brief', label: '汇报版' },
];

export function Interpretation({
  texts,
  id,
  children,
}: {
  texts: readonly TextElement[];
  id: string;
  children?: ReactNode;
}) {
  const { presentation, reading } = useReport();
  const { value } = presentation;
  const there = VOICES.filter((v) => texts.some((t) => t.voice === v.value));
  const voice = there.some((v) => v.value === value.voice) ? value.voice : (there[0]?.value ?? value.voice);
  const shown = texts.filter((t) => t.voice === null || t.voice === voice);
  const copy = (): void =>
    void copyForms({ text: shown.map((t) => plain(t.text, t.facts, reading)).join('\n') }, '文字已复制');
  return (
    <section className={styles['section']} id={id}>
      <div className={styles['head']}>
        <h2>解读</h2>
        <button type="button" className={styles['copy']} onClick={copy}>
          <CopyOutlined aria-hidden /> 复制文字
        </button>
        {there.length > 1 ? (
          <Segmented<Voice>
            size="small"
            aria-label="写法"
            options={[...there]}
            value={voice}
            onChange={(next) => presentation.change({ ...value, voice: next })}
            className={styles['voices'] ?? ''}
          />
        ) : null}
      </div>
      {shown.map((text, i) => (
        <Paragraph key={text.id} text={text} named={text.at !== shown[i - 1]?.at} />
      ))}
      {children}
    </section>
  );
}

/** `named`: says which variable it speaks about; once for paragraphs that follow each other. */
export function Paragraph({ text, named = true }: { text: TextElement; named?: boolean }) {
  return (
    <p className={styles['prose']}>
      {text.at === null || !named ? null : <b>{text.at}　</b>}
      <Sentence text={text.text} facts={text.facts} />
    </p>
  );
}
