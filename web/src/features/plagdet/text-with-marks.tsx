/** The text, each passage a mark that can be pressed; one mark takes the keyboard, arrows go to its neighbours. */
import { linesOf, type Piece, piecesOf, spansOf } from '@hengxi/contracts/plagdet-marks';
import type { KIND_TEXT } from '@hengxi/contracts/plagdet';
import type { Report } from '@hengxi/server/plagdet/schema';
import { memo, useEffect, useMemo, useRef } from 'react';

import styles from './plagdet.module.css';

interface TextProps {
  report: Report;
  /** Number of the passage that is looked at. */
  chosen: number | null;
  onChoose: (no: number) => void;
}

export function TextWithMarks({ report, chosen, onChoose }: TextProps) {
  const { text, passages } = report;
  const box = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => linesOf(text, piecesOf(text, spansOf(report))), [text, report]);
  const passageOf = useMemo(() => finder(passages), [passages]);
  const shown = passages.find(({ no }) => no === chosen) ?? null;
  const first = passages[0]?.no ?? null;

  // Chosen elsewhere (a source, a neighbour): brought into sight.
  useEffect(() => {
    if (chosen === null) return;
    box.current?.querySelector(`[data-no="${chosen}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  // On the whole text, not on each of its thousands of marks.
  useEffect(() => {
    const whole = box.current;
    if (!whole) return undefined;
    const markOf = ({ target }: Event): HTMLElement | null =>
      target instanceof HTMLElement ? target.closest<HTMLElement>('[data-no]') : null;
    const onClick = (event: MouseEvent): void => {
      const mark = markOf(event);
      if (mark) onChoose(Number(mark.dataset['no']));
    };
    const onKey = (event: KeyboardEvent): void => {
      const mark = markOf(event);
      if (!mark) return;
      const step = { Enter: 0, ' ': 0, ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const marks = [...whole.querySelectorAll<HTMLElement>('[data-no]')];
      const next = marks[marks.indexOf(mark) + step];
      if (!next) return;
      next.focus();
      onChoose(Number(next.dataset['no']));
    };
    whole.addEventListener('click', onClick);
    whole.addEventListener('keydown', onKey);
    return () => {
      whole.removeEventListener('click', onClick);
      whole.removeEventListener('keydown', onKey);
    };
  }, [onChoose]);

  return (
    <div ref={box} className={styles['text']} role="group" aria-label="标了记号的全文">
      {lines.map((pieces, number) => (
        <Line
          // Lines stand where they stand.
          key={number}
          text={text}
          pieces={pieces}
          passageOf={passageOf}
          from={within(pieces, shown?.start)}
          to={within(pieces, shown?.end)}
          chosen={touches(pieces, shown) ? chosen : null}
          tabStop={chosen ?? first}
        />
      ))}
    </div>
  );
}

const within = (pieces: readonly Piece[], place: number | undefined): number | null => {
  const [start, end] = [pieces[0]?.start ?? 0, pieces.at(-1)?.end ?? 0];
  return place === undefined ? null : Math.min(Math.max(place, start), end);
};
const touches = (pieces: readonly Piece[], passage: { start: number; end: number } | null): boolean =>
  passage !== null && (pieces[0]?.start ?? 0) < passage.end && passage.start < (pieces.at(-1)?.end ?? 0);

type PassageOf = (piece: Piece) => { no: number; kind: keyof typeof KIND_TEXT } | null;

/** The passage a piece belongs to: the longest of its kind that covers it. */
function finder(passages: Report['passages']): PassageOf {
  const sorted = passages.toSorted((a, b) => a.start - b.start);
  const longest = Math.max(0, ...sorted.map(({ start, end }) => end - start));
  return (piece) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.start ?? 0) < piece.start - longest) low = middle + 1;
      else high = middle;
    }
    let best: Report['passages'][number] | null = null;
    for (let at = low; at < sorted.length; at += 1) {
      const one = sorted[at];
      if (!one || one.start > piece.start) break;
      const fits = one.end >= piece.end && (one.quoted ? 'quotation' : one.kind) === piece.kind;
      if (fits && (best === null || one.end - one.start > best.end - best.start)) best = one;
    }
    return best;
  };
}

interface LineProps {
  text: string;
  pieces: readonly Piece[];
  passageOf: PassageOf;
  /** The chosen passage within this line. */
  from: number | null;
  to: number | null;
  chosen: number | null;
  tabStop: number | null;
}

const Line = memo(
  function Line({ text, pieces, passageOf, from, to, chosen, tabStop }: LineProps) {
    return (
      <div className={styles['line']}>
        {pieces.map((piece) => {
          const content = text.slice(piece.start, piece.end);
          const passage = piece.kind === null ? null : passageOf(piece);
          if (piece.kind === null) return <span key={piece.start}>{content}</span>;
          if (passage === null)
            return (
              <mark key={piece.start} data-kind={piece.kind}>
                {content}
              </mark>
            );
          const isChosen = chosen !== null && from !== null && to !== null && piece.start < to && piece.end > from;
          return (
            <span
              key={piece.start}
              data-kind={piece.kind}
              data-no={passage.no}
              data-chosen={isChosen || undefined}
              role="button"
              aria-pressed={isChosen}
              tabIndex={passage.no === tabStop ? 0 : -1}
            >
              {content}
            </span>
          );
        })}
        {pieces.length === 0 ? '\u00a0' : null}
      </div>
    );
  },
  (before, after) =>
    before.text === after.text &&
    before.pieces === after.pieces &&
    before.passageOf === after.passageOf &&
    before.chosen === after.chosen &&
    before.from === after.from &&
    before.to === after.to &&
    holds(before) === holds(after),
);

/** Whether the mark that takes the keyboard is in this line. */
const holds = ({ pieces, passageOf, tabStop }: LineProps): boolean =>
  tabStop !== null && pieces.some((piece) => piece.kind !== null && passageOf(piece)?.no === tabStop);
