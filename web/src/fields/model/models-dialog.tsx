/** The saved models: rename, open their report, take out of the list. */
import { integer } from '@hengxi/contracts/format';
import { DeleteOutlined, EditOutlined } from '@ant-design/icons';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';

import {
  MODELS_KEY,
  modelsQuery,
  nameModel,
  removeModel,
  scoresOf,
  scoreText,
  type ModelRow,
} from '../../lib/models.ts';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { RenameDialog } from '../../ui/rename-dialog.tsx';
import styles from './models-dialog.module.css';

export function ModelsDialog({ open, task, onClose }: { open: boolean; task: string; onClose: () => void }) {
  return (
    <Dialog open={open} title="已保存的模型" width="wide" onClose={onClose}>
      <Models task={task} />
    </Dialog>
  );
}

function Models({ task }: { task: string }) {
  const client = useQueryClient();
  const all = useQuery(modelsQuery(task));
  const [renaming, setRenaming] = useState<ModelRow | null>(null);
  const [leaving, setLeaving] = useState<ModelRow | null>(null);
  const [working, setWorking] = useState(false);
  const perform = async (work: Promise<unknown>, message: string): Promise<void> => {
    setWorking(true);
    try {
      await work;
      await client.invalidateQueries({ queryKey: [MODELS_KEY] });
      setRenaming(null);
      setLeaving(null);
      toast.done(message);
    } catch {
      // The client has said what went wrong; the dialog stays with what was typed.
    } finally {
      setWorking(false);
    }
  };
  const list = all.data?.list ?? [];
  if (all.isSuccess && list.length === 0) return <p>还没有保存的模型。在一份训练报告里点“保存模型”就会出现在这里。</p>;
  return (
    <>
      <ul className={styles['list']}>
        {list.map((model) => (
          <li key={model.model_id}>
            <div className={styles['words']}>
              <b>{model.name}</b>
              <span>
                {model.method}，预测“{model.target}”，{integer(model.features)} 个变量，{integer(model.rows)} 行训练
                {scoresOf(model.scores).map(([name, value]) => `，${scoreText(name, value)}`)}
              </span>
              <small>
                {model.file_name === null ? '' : `来自“${model.file_name}”，`}
                {(model.named_at ?? model.created_at).slice(0, 10)} 保存
              </small>
            </div>
            <div className={styles['acts']}>
              <Button
                type="text"
                icon={<EditOutlined />}
                aria-label={`重命名模型“${model.name ?? ''}”`}
                onClick={() => setRenaming(model)}
              />
              <Button
                type="text"
                icon={<DeleteOutlined />}
                aria-label={`删除模型“${model.name ?? ''}”`}
                onClick={() => setLeaving(model)}
              />
            </div>
          </li>
        ))}
      </ul>
      <RenameDialog
        open={renaming !== null}
        value={renaming?.name ?? ''}
        title="重命名模型"
        working={working}
        onSave={(name) => renaming && void perform(nameModel(renaming.model_id, name), '已重命名')}
        onClose={() => setRenaming(null)}
      />
      <ConfirmDialog
        open={leaving !== null}
        title="删除模型"
        text={`“${leaving?.name ?? ''}”将从列表中移去，不能再用来预测；训练它的报告不受影响，在报告里可以重新保存。`}
        act="删除"
        danger
        working={working}
        onAct={() => leaving && void perform(removeModel(leaving.model_id), '模型已删除')}
        onClose={() => setLeaving(null)}
      />
    </>
  );
}
