/** A fitted model: what it predicts from and how well; its owner may save it and predict with it. */
import type { ModelElement } from '@hengxi/contracts/contract';
import { integer } from '@hengxi/contracts/format';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';

import { isNotFound } from '../../lib/api.ts';
import { modelQuery, scoreText } from '../../lib/models.ts';
import { RenameDialog } from '../../ui/rename-dialog.tsx';
import { type ModelActions, useReport } from '../context.ts';
import styles from '../line.module.css';

const TASKS: Record<string, string> = { classification: '分类', regression: '回归' };
const SHOWN = 6;

export function SavedModel({ model }: { model: ModelElement }) {
  const { models } = useReport();
  const { card } = model;
  const names = card.features.map((feature) => feature.label ?? feature.name);
  const some = names.slice(0, SHOWN).join('、') + (names.length > SHOWN ? ` 等 ${integer(names.length)} 个变量` : '');
  return (
    <div className={styles['line']} data-block={model.id}>
      <b>{model.title}</b>
      <span className={styles['text']}>
        {card.method}，{TASKS[card.task] ?? card.task}模型，由{some}预测“{card.target.label ?? card.target.name}”，
        {integer(card.rows)} 行训练
        {Object.entries(card.scores).map(([name, score]) => (
          <span key={name}>，{scoreText(name, score)}</span>
        ))}
      </span>
      {models === undefined || model.model_id === null ? null : (
        <Acts id={model.model_id} path={card.path} standard={`${card.target.name}的${card.method}`} hand={models} />
      )}
    </div>
  );
}

interface ActsProps {
  id: number;
  path: string;
  /** The name offered at first. */
  standard: string;
  hand: ModelActions;
}

function Acts({ id, path, standard, hand }: ActsProps) {
  const modelQueryResult = useQuery(modelQuery(id));
  /** What is to be done once the model has a name; null: no dialog. */
  const [then, setThen] = useState<'stay' | 'predict' | null>(null);
  const [working, setWorking] = useState(false);
  if (isNotFound(modelQueryResult.error)) return <span className={styles['text']}>模型已删除，重新运行可再得到</span>;
  if (modelQueryResult.data === undefined) return null;
  const name = modelQueryResult.data.name;
  const save = async (given: string): Promise<void> => {
    setWorking(true);
    try {
      await hand.save(id, given);
      setThen(null);
      if (then === 'predict') hand.predict(id, path);
    } catch {
      // The client has said what went wrong; the dialog stays with what was typed.
    } finally {
      setWorking(false);
    }
  };
  return (
    <>
      {name === null ? null : <span className={styles['kept']}>已保存为“{name}”</span>}
      <Button size="small" onClick={() => setThen('stay')}>
        {name === null ? '保存模型' : '改名'}
      </Button>
      <Button
        size="small"
        color="primary"
        variant="outlined"
        onClick={() => (name === null ? setThen('predict') : hand.predict(id, path))}
      >
        用模型预测
      </Button>
      <RenameDialog
        open={then !== null}
        value={name ?? standard}
        title={name === null ? '保存模型' : '重命名模型'}
        working={working}
        onSave={(given) => void save(given)}
        onClose={() => setThen(null)}
      />
    </>
  );
}
