/** What a saved chain is called, and a few words on what it is for. */
import { Button, Input } from 'antd';
import { useId, useState } from 'react';

import { errorText } from '../../lib/api.ts';
import { toast } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { changeRecipe, refreshRecipes, type SavedRecipe } from './queries.ts';
import styles from './recipes.module.css';

const NAME_MOST = 60;
const NOTE_MOST = 1000;

export function DescribeDialog({ recipe, onClose }: { recipe: SavedRecipe; onClose: () => void }) {
  const [name, setName] = useState(recipe.name);
  const id = useId();
  const [note, setNote] = useState(recipe.note);
  const [trouble, setTrouble] = useState('');
  const [working, setWorking] = useState(false);
  const changed = name.trim() !== recipe.name || note.trim() !== recipe.note;
  const ready = changed && name.trim() !== '' && !working;
  const save = async (): Promise<void> => {
    setWorking(true);
    try {
      await changeRecipe(recipe.id, { name: name.trim(), note: note.trim() });
      await refreshRecipes();
      toast.done('已保存');
      onClose();
    } catch (error) {
      setTrouble(errorText(error));
      setWorking(false);
    }
  };
  return (
    <Dialog
      open
      title="名称和说明"
      width="form"
      outsideCloses={!changed}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" disabled={!ready} loading={working} onClick={() => void save()}>
            保存
          </Button>
        </>
      }
    >
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) void save();
        }}
      >
        <label htmlFor={`${id}n`}>
          <span>名称</span>
          <Input id={`${id}n`} maxLength={NAME_MOST} value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        {trouble === '' ? null : (
          <p role="alert" className={styles['trouble']}>
            {trouble}
          </p>
        )}
        <label htmlFor={`${id}t`}>
          <span>说明</span>
          <Input.TextArea
            id={`${id}t`}
            rows={4}
            maxLength={NOTE_MOST}
            showCount
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </label>
      </form>
    </Dialog>
  );
}
