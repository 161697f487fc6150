/** A sentence of the report: filled template, italic symbols, bold. Users' text arrives as plain text and stays so. */
import type { Fact } from '@hengxi/contracts/contract';
import { numeric, type Token, tokens } from '@hengxi/contracts/format';

import { useReading, useReport } from './context.ts';

export function Words({ list, facts }: { list: readonly Token[]; facts?: Readonly<Record<string, Fact>> }) {
  const { origins } = useReport();
  return list.map((token, i) => {
    const key = `${i}`;
    const exact = exactOf(token, facts);
    const text = token.st ? <i className="st">{token.text}</i> : token.text;
    const inner = token.b ? <b>{text}</b> : text;
    return exact === null ? (
      <span key={key}>{inner}</span>
    ) : (
      <span key={key} title={titleOf(exact, token, facts, origins)}>
        {inner}
      </span>
    );
  });
}

/** 来自 表 2，未取整 0.001988 */
function titleOf(
  exact: string,
  token: Token,
  facts: Readonly<Record<string, Fact>> | undefined,
  origins: ReadonlyMap<number, string>,
): string {
  const source = origins.get(numeric(facts?.[token.fact ?? '']) ?? Number.NaN);
  return `${source === undefined ? '' : `来自 ${source}，`}未取整 ${exact}`;
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
