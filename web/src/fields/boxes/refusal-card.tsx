/**
 * A misfitting drop opens its remedies instead of failing silently. Our own reason stands at once; the engine's sentence and
 * remedies for the very form that the drop would have made take its place as soon as they come.
 */
import type { FieldFault } from '@hengxi/contracts/http';
import { CloseOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useCallback, useEffect, useState } from 'react';

import { CheckMark } from '../../ui/check-mark.tsx';
import { useForm } from '../form-context.tsx';
import type { Box } from './box.ts';
import { force } from './box.ts';
import type { Misfit } from './fit.ts';
import styles from './variable-boxes.module.css';
import { useBoxes } from './variable-boxes.tsx';

const SETTLE_MS = 120;

export interface RefusalCardProps {
  box: Box;
  misfit: Misfit;
  /** What was dropped; null while the pointer still hovers. */
  ids: readonly string[] | null;
}

function useVerdict(box: Box, ids: readonly string[]): FieldFault | null {
  const { form, boxes, known, probe } = useForm();
  const [verdict, setVerdict] = useState<FieldFault | null>(null);
  const key = ids.join(' ');
  useEffect(() => {
    let gone = false;
    const asked = key.split(' ');
    const timer = setTimeout(() => {
      probe(force(form, boxes, box, asked, known)).then(
        (faults) => {
          const mine = faults.filter((fault) => fault.field === box.key);
          const meant = mine.find(
            (fault) => fault.column !== null && fault.column !== undefined && asked.includes(fault.column),
          );
          if (!gone) setVerdict(meant ?? mine[0] ?? null);
        },
        () => undefined,
      );
    }, SETTLE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [form, boxes, known, box, key, probe]);
  return verdict;
}

export function RefusalCard({ box, misfit, ids }: RefusalCardProps) {
  const { dragged, dismiss } = useBoxes();
  const { form, boxes, known, remedy, offers, retype } = useForm();
  const meant = ids ?? dragged?.ids ?? [];
  const verdict = useVerdict(box, meant);
  const isSet = verdict?.code === 'role.set';
  // What is refused here is not in the box yet: there is nothing to take out of it. The options of a set can come in.
  const remedies = (verdict?.remedies ?? []).filter(
    (one) => one.step !== 'measure' && (isSet || !(one.set && box.key in one.set)) && offers(one),
  );
  const { becomes } = misfit;
  const isDropped = ids !== null;
  // Sent by Enter from the list, the box that refuses may be out of sight.
  const seen = useCallback(
    (card: HTMLDivElement | null): void => {
      if (isDropped) card?.scrollIntoView({ block: 'nearest' });
    },
    [isDropped],
  );
  return (
    <div ref={seen} className={styles['refusal']} role={ids === null ? undefined : 'alert'}>
      <div className={styles['refusalHead']}>
        <CheckMark state="care" decorative />
        <div>
          <strong>{misfit.text}</strong>
          {verdict === null || ids === null ? null : <p className={styles['refusalText']}>{verdict.text}</p>}
          {ids === null ? <p className={styles['refusalText']}>松手可选择处理办法，已放好的变量不会丢失。</p> : null}
        </div>
        {ids === null ? null : (
          <button type="button" className={styles['remove']} aria-label="关闭提示" onClick={dismiss}>
            <CloseOutlined aria-hidden />
          </button>
        )}
      </div>
      {remedies.length > 0 || becomes !== null ? (
        <div className={styles['refusalActs']}>
          {remedies.map((remedyItem, at) => (
            <Button
              key={`${remedyItem.title}${at}`}
              size="small"
              color={at === 0 ? 'primary' : 'default'}
              variant="outlined"
              onClick={() => {
                dismiss();
                if (verdict !== null) remedy(remedyItem, verdict);
              }}
            >
              {remedyItem.title}
            </Button>
          ))}
          {becomes === null ? null : (
            <Button
              size="small"
              onClick={() => {
                dismiss();
                retype(meant, becomes, force(form, boxes, box, meant, known));
              }}
            >
              {misfit.doing ?? `改为${becomes}`}
            </Button>
          )}
        </div>
      ) : null}
    </div>
  );
}
