/** The reader's own texts on a drawing; while its editor is open they are moved by the mouse and by keys, and deleted. */
import { type Annotation, inside } from '@hengxi/contracts/chart/figure-edit';
import { type ChartTheme, familyOf } from '@hengxi/contracts/chart/theme';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';

import styles from './annotations.module.css';

interface AnnotationsProps {
  texts: readonly Annotation[];
  facet: string;
  theme: ChartTheme;
  /** Left out: they only stand there. */
  onChange?: ((next: Annotation[]) => void) | undefined;
}

export function Annotations({ texts, facet, theme, onChange }: AnnotationsProps) {
  return texts.map((text, i) => {
    if (text.facet !== facet) return null;
    const look = { fontFamily: familyOf(theme), fontSize: theme.size ?? 12, color: theme.ink2 };
    if (onChange === undefined)
      return (
        <span key={`${i}`} className={styles['text']} style={{ ...look, ...placeOf(text) }}>
          {text.text}
        </span>
      );
    return (
      <Movable
        key={`${i}`}
        text={text}
        look={look}
        onMove={(x, y) => onChange(texts.map((t, k) => (k === i ? { ...t, x, y } : t)))}
        onRemove={() => onChange(texts.filter((_, k) => k !== i))}
      />
    );
  });
}

const placeOf = ({ x, y }: { x: number; y: number }) => ({ left: `${x * 100}%`, top: `${y * 100}%` });

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const STEP = 0.01;
const FAR = 0.05;

interface MovableProps {
  text: Annotation;
  look: { fontFamily: string; fontSize: number; color: string };
  onMove: (x: number, y: number) => void;
  onRemove: () => void;
}

/** Where it is held: the place it had, and where the pointer was then. */
interface Held {
  x: number;
  y: number;
  left: number;
  top: number;
}

function Movable({ text, look, onMove, onRemove }: MovableProps) {
  const [held, setHeld] = useState<Held | null>(null);
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const key = (event: KeyboardEvent): void => {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      onRemove();
      return;
    }
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const far = event.shiftKey ? FAR : STEP;
    onMove(inside(text.x + step[0] * far), inside(text.y + step[1] * far));
  };
  const move = (event: PointerEvent<HTMLButtonElement>): void => {
    const frame = event.currentTarget.parentElement?.getBoundingClientRect();
    if (held === null || frame === undefined || frame.width === 0 || frame.height === 0) return;
    setAt({
      x: inside(held.x + (event.clientX - held.left) / frame.width),
      y: inside(held.y + (event.clientY - held.top) / frame.height),
    });
  };
  /** One move is one step of undo, however long the way. */
  const drop = (): void => {
    if (at !== null && (at.x !== text.x || at.y !== text.y)) onMove(at.x, at.y);
    setHeld(null);
    setAt(null);
  };
  return (
    <button
      type="button"
      className={`${styles['text']} ${styles['movable']}`}
      style={{ ...look, ...placeOf(at ?? text) }}
      aria-label={`标注：${text.text}。方向键移动，Delete 删除`}
      onKeyDown={key}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setHeld({ x: text.x, y: text.y, left: event.clientX, top: event.clientY });
      }}
      onPointerMove={move}
      onPointerUp={drop}
      onPointerCancel={() => {
        setHeld(null);
        setAt(null);
      }}
    >
      {text.text}
    </button>
  );
}
