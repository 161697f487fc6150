/** The text of a report in pieces, each with its strongest mark: what screen and export draw. */

export type MarkKind = 'same' | 'similar' | 'common' | 'quotation';

export interface MarkedSpan {
  start: number;
  end: number;
  kind: MarkKind;
}

export interface Piece {
  start: number;
  end: number;
  kind: MarkKind | null;
}

/** Of several marks on the same characters the strongest is shown. */
const RANK: readonly MarkKind[] = ['same', 'similar', 'common', 'quotation'];

export function spansOf({
  passages,
  parts,
}: {
  passages: readonly { start: number; end: number; kind: 'same' | 'similar' | 'common'; quoted: boolean }[];
  parts: readonly { start: number; end: number; kind: string }[];
}): MarkedSpan[] {
  return [
    ...passages.map(({ start, end, kind, quoted }) => ({ start, end, kind: quoted ? ('quotation' as const) : kind })),
    ...parts.flatMap(({ kind, start, end }) =>
      kind === 'quotation' ? [{ start, end, kind: 'quotation' as const }] : [],
    ),
  ];
}

/** Covers the text once, in order. */
export function piecesOf(text: string, spans: readonly MarkedSpan[]): Piece[] {
  const strongest = new Uint8Array(text.length).fill(RANK.length);
  for (const rank of [...RANK.keys()].toReversed())
    for (const { start, end, kind } of spans) if (kind === RANK[rank]) strongest.fill(rank, start, end);
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length;) {
    let to = at + 1;
    while (to < text.length && strongest[to] === strongest[at]) to += 1;
    pieces.push({ start: at, end: to, kind: RANK[strongest[at] ?? RANK.length] ?? null });
    at = to;
  }
  return pieces;
}

/** Pieces line by line: a long text is laid out one line at a time. */
export function linesOf(text: string, pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [[]];
  for (const piece of pieces) {
    for (let at = piece.start; at < piece.end;) {
      const cut = text.indexOf('\n', at);
      const to = cut === -1 || cut >= piece.end ? piece.end : cut + 1;
      lines.at(-1)?.push({ ...piece, start: at, end: to });
      if (to === cut + 1) lines.push([]);
      at = to;
    }
  }
  return lines;
}
