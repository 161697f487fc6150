/** A sentence of the report: filled template, italic symbols, bold. Users' text arrives as plain text and stays so. */
import type { Fact } from '@hengxi/contracts/contract';
import { numeric, type Token, tokens } from '@hengxi/contracts/format';

import { useReading } from './context.ts';

export function Words({ list, facts }: { list: readonly Token[]; facts?: Readonly<Record<string, Fact>> }) {
  return list.map((token, i) => {
    const key = `${i}`;
    const exact = exactOf(token, facts);
    const text = token.st ? <i className="st">{token.text}</i> : token.text;
    const inner = token.b ? <b>{text}</b> : text;
    return exact === null ? (
      <span key={key}>{inner}</span>
    ) : (
      <span key={key} title={`未取整：${exact}`}>
        {inner}
      </span>
    );
  });
}

/** A rounded number shows what it was on hover. */
function exactOf(token: Token, facts: Readonly<Record<string, Fact>> | undefined): string | null {
  const value = token.fact === undefined ? null : numeric(facts?.[token.fact]);
  if (value === null || !Number.isFinite(value) || Number.isInteger(value)) return null;
  const exact = String(value).replace('-', '−');
  return exact === token.text ? null : exact;
}

export function Sentence({ text, facts }: { text: string; facts: Readonly<Record<string, Fact>> }) {
  const reading = useReading();
  return <Words list={tokens(text, facts, reading)} facts={facts} />;
}
