/** The frame around every control: title, hint, and the engine's faults in place with their remedy buttons. */
import type { FieldFault } from '@hengxi/contracts/http';
import { QuestionCircleOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import type { ReactNode } from 'react';

import { CheckMark } from '../ui/check-mark.tsx';
import { faultsFor, isOpen, useForm } from './form-context.tsx';
import styles from './parts.module.css';

export interface FieldProps<F> {
  field: F;
  value: unknown;
}

export function Hint({ text }: { text: string | null | undefined }) {
  if (text === null || text === undefined || text === '') return null;
  return (
    <Tooltip title={text}>
      <button type="button" className={styles['hint']} aria-label={`说明：${text}`}>
        <QuestionCircleOutlined aria-hidden />
      </button>
    </Tooltip>
  );
}

/** Buttons of a fault; those that cannot be carried out here are left out. */
export function Remedies({ fault, after }: { fault: FieldFault; after?: () => void }) {
  const { remedy, offers } = useForm();
  const offered = (fault.remedies ?? []).filter(offers);
  if (offered.length === 0) return null;
  return (
    <div className={styles['remedies']}>
      {offered.map((remedyItem, at) => (
        <Button
          key={`${remedyItem.title}${at}`}
          size="small"
          color={at === 0 ? 'primary' : 'default'}
          variant="outlined"
          onClick={() => {
            remedy(remedyItem, fault);
            after?.();
          }}
        >
          {remedyItem.title}
        </Button>
      ))}
    </div>
  );
}

/** What the engine says about one field. */
export function Faults({ of, id }: { of: string; id?: string }) {
  const { faults } = useForm();
  const mine = faultsFor(faults, of);
  if (mine.length === 0) return null;
  return (
    <div id={id} className={styles['faults']}>
      {mine.map((fault, at) => (
        <div key={`${fault.code}${at}`} className={isOpen(fault) ? styles['open'] : styles['fault']}>
          {isOpen(fault) ? null : <CheckMark state="care" />}
          <div>
            <span>{fault.text}</span>
            <Remedies fault={fault} />
          </div>
        </div>
      ))}
    </div>
  );
}

export interface RowProps {
  /** Key of the form. */
  name: string;
  title: string;
  hint?: string | null;
  /** The control below its title instead of beside it. */
  stacked?: boolean;
  /** Id of the control for the label; left out where the control names itself by `${name}-title`. */
  control?: string;
  children: ReactNode;
}

export function titleId(name: string): string {
  return `field-${name}-title`;
}

/** One option of the card: title left, control right; faults below. */
export function FieldRow({ name, title, hint, stacked = false, control, children }: RowProps) {
  return (
    <div className={styles['field']} data-field={name}>
      <div className={stacked ? styles['stacked'] : styles['row']}>
        <span className={styles['title']}>
          {control === undefined ? (
            <span id={titleId(name)}>{title}</span>
          ) : (
            <label id={titleId(name)} htmlFor={control}>
              {title}
            </label>
          )}
          <Hint text={hint} />
        </span>
        <div className={styles['control']} data-control>
          {children}
        </div>
      </div>
      <Faults of={name} />
    </div>
  );
}
