/** The slider puzzle: drag the piece into its gap, or move it by the arrow keys and press Enter. */
import { ReloadOutlined } from '@ant-design/icons';
import type { CaptchaTicket, SliderPuzzle } from '@hengxi/server/accounts/schema';
import { Button } from 'antd';
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from 'react';

import { errorText } from '../../lib/api.ts';
import { Late } from '../../ui/skeleton.tsx';
import { answerPuzzle, loadPuzzle } from './queries.ts';
import styles from './slider.module.css';

interface Track {
  x: number;
  y: number;
  t: number;
}

export interface SliderProps {
  /** null: the puzzle could not be loaded and the server decides what to do about it. */
  onPass: (ticket: CaptchaTicket | null) => void;
  onCancel: () => void;
}

export function Slider({ onPass, onCancel }: SliderProps) {
  const [puzzle, setPuzzle] = useState<SliderPuzzle | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setPuzzle(null);
    loadPuzzle(controller.signal)
      .then(setPuzzle)
      .catch(() => {
        if (!controller.signal.aborted) onPass(null);
      });
    return () => controller.abort();
    // A new puzzle is wanted for each round only; onPass changes with every keystroke in the form.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [round]);

  const answer = async (x: number, track: Track[]) => {
    if (!puzzle) return;
    try {
      onPass(await answerPuzzle({ id: puzzle.id, x: Math.round(x), track }));
    } catch (error) {
      setFault(errorText(error));
      setRound((count) => count + 1);
    }
  };

  return (
    <div className={styles['box']} role="group" aria-label="滑块验证">
      <div className={styles['head']}>
        <span>拖动滑块，把拼图放进缺口</span>
        <Button
          type="text"
          size="small"
          icon={<ReloadOutlined aria-hidden />}
          onClick={() => {
            setFault(null);
            setRound((count) => count + 1);
          }}
        >
          换一张
        </Button>
        <Button type="text" size="small" onClick={onCancel}>
          取消
        </Button>
      </div>
      {puzzle ? (
        <Puzzle key={puzzle.id} puzzle={puzzle} onAnswer={answer} />
      ) : (
        <div className={styles['empty']}>
          <Late label="正在加载拼图">正在加载拼图</Late>
        </div>
      )}
      <p className={styles['note']} role={fault ? 'alert' : undefined} data-bad={fault !== null}>
        {fault ?? '键盘：← → 移动，Shift 加方向键快移，Enter 确认'}
      </p>
    </div>
  );
}

interface PuzzleProps {
  puzzle: SliderPuzzle;
  onAnswer: (x: number, track: Track[]) => Promise<void>;
}

/** Samples of the movement, kept outside rendering: the server looks at its timing. */
function useTrack() {
  const points = useRef<Track[]>([]);
  const begun = useRef(0);
  const add = useCallback((x: number, y: number) => {
    if (points.current.length === 0) begun.current = performance.now();
    if (points.current.length < 2000) points.current.push({ x, y, t: Math.round(performance.now() - begun.current) });
  }, []);
  return { points, add };
}

function Puzzle({ puzzle, onAnswer }: PuzzleProps) {
  const most = puzzle.width - puzzle.piece_size;
  const [x, setX] = useState(0);
  const [working, setWorking] = useState(false);
  const rail = useRef<HTMLDivElement>(null);
  const knob = useRef<HTMLDivElement>(null);
  const grip = useRef<{ from: number; x: number; y: number } | null>(null);
  const track = useTrack();
  useEffect(() => knob.current?.focus({ preventScroll: true }), []);

  const move = (next: number, y: number) => {
    const bounded = Math.min(most, Math.max(0, next));
    setX(bounded);
    track.add(Math.round(bounded * 10) / 10, y);
    return bounded;
  };
  const submit = async (at: number) => {
    setWorking(true);
    await onAnswer(at, track.points.current);
    setWorking(false);
  };
  /** Pictures may be shown smaller than they are; the answer is in their own pixels. */
  const scale = () => puzzle.width / (rail.current?.clientWidth ?? puzzle.width);

  const onDown = (event: PointerEvent) => {
    if (working) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = { from: event.clientX, x, y: event.clientY };
    track.add(x, 0);
  };
  const onMove = (event: PointerEvent) => {
    const held = grip.current;
    if (!held) return;
    move(held.x + (event.clientX - held.from) * scale(), Math.round(event.clientY - held.y));
  };
  const onUp = (event: PointerEvent) => {
    const held = grip.current;
    if (!held) return;
    grip.current = null;
    void submit(move(held.x + (event.clientX - held.from) * scale(), Math.round(event.clientY - held.y)));
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      move(x + step * (event.shiftKey ? 12 : 2), 0);
    } else if (event.key === 'Enter' && !working) {
      event.preventDefault();
      void submit(x);
    }
  };

  const share = (value: number, of: number) => `${(value / of) * 100}%`;
  return (
    <div className={styles['puzzle']}>
      <div className={styles['picture']} style={{ aspectRatio: `${puzzle.width} / ${puzzle.height}` }}>
        <img src={puzzle.background} alt="有缺口的图片" draggable={false} />
        <img
          src={puzzle.piece}
          alt=""
          draggable={false}
          className={styles['piece']}
          style={{
            left: share(x, puzzle.width),
            top: share(puzzle.y, puzzle.height),
            width: share(puzzle.piece_size, puzzle.width),
          }}
        />
      </div>
      <div className={styles['rail']} ref={rail}>
        <div className={styles['done']} style={{ width: share(x + puzzle.piece_size / 2, puzzle.width) }} />
        <div
          ref={knob}
          role="slider"
          tabIndex={0}
          aria-label="拼图位置"
          aria-valuemin={0}
          aria-valuemax={most}
          aria-valuenow={Math.round(x)}
          aria-valuetext={`${Math.round(x)} 像素`}
          className={styles['knob']}
          style={{ left: share(x, puzzle.width), width: share(puzzle.piece_size, puzzle.width) }}
          onPointerDown={onDown}
          onPointerMove={onMove}
          onPointerUp={onUp}
          onPointerCancel={onUp}
          onKeyDown={onKey}
        >
          <span aria-hidden="true">{working ? '…' : '→'}</span>
        </div>
      </div>
    </div>
  );
}
