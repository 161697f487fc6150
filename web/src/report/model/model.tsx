/** A saved model: what it predicts from, how well it does. */
import type { ModelElement } from '@hengxi/contracts/contract';
import { num } from '@hengxi/contracts/format';

import styles from '../line.module.css';

const TASKS: Record<string, string> = {
  classification: '分类',
  regression: '回归',
  clustering: '聚类',
  survival: '生存',
};

export function SavedModel({ model }: { model: ModelElement }) {
  return (
    <div className={styles['line']} data-block={model.id}>
      <b>{model.title}</b>
      <span className={styles['text']}>
        {TASKS[model.task] ?? model.task}模型，{model.features.length} 个特征：
        {model.features.map((f) => f.label ?? f.name).join('、')}
        {Object.entries(model.scores).map(([name, score]) => (
          <span key={name}>
            　{name} {num(score)}
          </span>
        ))}
      </span>
    </div>
  );
}
