/** 冻结控制限: the limits of this report under a name, to judge later data by. */
import { useQueryClient } from '@tanstack/react-query';
import { Button, Input, Select } from 'antd';
import { useId, useState } from 'react';

import { keepLimits, LIMITS_KEY } from '../../lib/control-limits.ts';
import { toast } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './freeze-dialog.module.css';
import type { Place } from './queries.ts';

interface Props {
  place: Place;
  rev: number;
  /** Name offered at first. */
  standard: string;
  /** Phases with limits of their own; one nameless where there are no phases. */
  phases: readonly (string | null)[];
  onClose: () => void;
}

const MOST = 60;

export function FreezeDialog({ place, rev, standard, phases, onClose }: Props) {
  const client = useQueryClient();
  const id = useId();
  const [name, setName] = useState(() => Array.from(standard).slice(0, MOST).join(''));
  // The newest phase is what the process is like now.
  const [phase, setPhase] = useState(phases.at(-1) ?? null);
  const [working, setWorking] = useState(false);
  const save = async (): Promise<void> => {
    setWorking(true);
    try {
      await keepLimits({ ...place, rev, name: name.trim(), phase });
      await client.invalidateQueries({ queryKey: [LIMITS_KEY] });
      toast.done('已冻结。分析新数据时，在同一种控制图的设置里选“用已冻结的控制限”');
      onClose();
    } catch {
      // The client has said what went wrong; what was typed stays.
      setWorking(false);
    }
  };
  return (
    <Dialog open title="冻结控制限" width="form" onClose={onClose}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') void save();
        }}
      >
        <p>保存这份报告的中心值、标准差和子组大小，用来判断以后的数据。数据或报告以后改了、删了，保存的数都不变。</p>
        <div className={styles['row']}>
          <label htmlFor={`${id}-name`}>名称</label>
          <Input id={`${id}-name`} value={name} maxLength={MOST} onChange={(event) => setName(event.target.value)} />
        </div>
        {phases.length > 1 ? (
          <div className={styles['row']}>
            <label htmlFor={`${id}-phase`}>哪个阶段的控制限</label>
            <Select
              id={`${id}-phase`}
              value={phase ?? ''}
              options={phases.map((one) => ({ value: one ?? '', label: one ?? '' }))}
              onChange={(next: string) => setPhase(next)}
            />
          </div>
        ) : null}
        <div className={styles['acts']}>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" htmlType="submit" loading={working} disabled={name.trim() === ''}>
            冻结
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
