/** The steps of a version under a name, to be run on other data; or taken away as a file. */
import type { StepRow, Version } from '@hengxi/server/files/schema';
import { Button, Input, type InputRef } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';

import { ApiError, errorText } from '../../lib/api.ts';
import { quoted } from '../../lib/quoted.ts';
import { toast } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { downloadSteps, refreshRecipes, saveRecipe } from './queries.ts';
import styles from './recipes.module.css';

const NAME_MOST = 60;
const NOTE_MOST = 1000;
/** The dialog takes the focus when it has opened; what is typed belongs into the field. */
const OPENED_MS = 60;
/** What was typed by hand belongs to one table. */
const RULES: readonly StepRow['op'][] = ['process', 'edit', 'sets'];

interface SaveDialogProps {
  version: Pick<Version, 'vid' | 'name'>;
  steps: readonly StepRow[];
  onClose: () => void;
}

export function SaveDialog({ version, steps, onClose }: SaveDialogProps) {
  const [name, setName] = useState('');
  const id = useId();
  const [note, setNote] = useState('');
  const [trouble, setTrouble] = useState<{ text: string; isTwin: boolean } | null>(null);
  const [working, setWorking] = useState(false);
  const field = useRef<InputRef>(null);
  useEffect(() => {
    const timer = setTimeout(() => field.current?.focus(), OPENED_MS);
    return () => clearTimeout(timer);
  }, []);
  const rules = steps.filter(({ op }) => RULES.includes(op));
  const byHand = steps.length - rules.length;
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setWorking(true);
    try {
      await work();
    } catch (error) {
      const isTwin = error instanceof ApiError && error.fields.some(({ code }) => code === 'recipe.name');
      setTrouble({ text: errorText(error), isTwin });
    }
    setWorking(false);
  };
  const save = (replace: boolean): Promise<void> =>
    attempt(async () => {
      await saveRecipe({ vid: version.vid, name: name.trim(), note: note.trim(), replace });
      await refreshRecipes();
      toast.done(`已保存为常用流程${quoted(name.trim())}`);
      onClose();
    });
  const takeAway = (): Promise<void> =>
    attempt(async () => {
      await downloadSteps(version.vid);
      toast.done('已下载流程文件');
    });
  const ready = name.trim() !== '' && rules.length > 0 && !working;
  return (
    <Dialog
      open
      title="保存为常用流程"
      width="choose"
      outsideCloses={name === '' && note === ''}
      onClose={onClose}
      footer={
        <>
          <Button disabled={rules.length === 0 || working} onClick={() => void takeAway()}>
            只下载文件
          </Button>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" disabled={!ready} loading={working} onClick={() => void save(false)}>
            保存
          </Button>
        </>
      }
    >
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) void save(false);
        }}
      >
        <label htmlFor={`${id}n`}>
          <span>名称</span>
          <Input
            id={`${id}n`}
            ref={field}
            maxLength={NAME_MOST}
            placeholder="例如：每月问卷清洗"
            value={name}
            status={trouble?.isTwin ? 'error' : ''}
            onChange={(event) => {
              setName(event.target.value);
              setTrouble(null);
            }}
          />
        </label>
        {trouble === null ? null : (
          <p role="alert" className={styles['trouble']}>
            {trouble.text}
            {trouble.isTwin ? (
              <>
                {'，可以换一个名称，或 '}
                <button type="button" className="hx-link" onClick={() => void save(true)}>
                  替换它
                </button>
                （原来的移到回收站）
              </>
            ) : null}
          </p>
        )}
        <label htmlFor={`${id}t`}>
          <span>说明（可不填）</span>
          <Input.TextArea
            id={`${id}t`}
            rows={3}
            maxLength={NOTE_MOST}
            placeholder="例如：只留完整问卷，收入取对数"
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </label>
      </form>
      <p className={styles['hint']}>
        {rules.length === 0
          ? '这份数据只有手工改动的步骤，没有可以用到别的数据上的步骤。'
          : `保存 ${rules.length} 步，变量按名称对应到别的数据。`}
        {rules.length > 0 && byHand > 0 ? `手工改动的 ${byHand} 步只属于这份数据，不保存。` : ''}
      </p>
      <ol className={styles['outline']} aria-label="要保存的步骤">
        {rules.map((step) => (
          <li key={step.step_id}>
            {step.title}
            {step.disabled ? '（已停用）' : ''}
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
