/** What the selected variable looks like, below the list: enough to choose without leaving the page. */
import { setOf } from '../answer-sets.ts';
import { endText, figureText } from '../clock.ts';
import { countText, levelTitle, titleOf } from '../column.ts';
import { useForm } from '../form-context.tsx';
import styles from './variable-list.module.css';

const LEVELS = 4;

function SetCard({ title, columns }: { title: string; columns: readonly string[] }) {
  const { known } = useForm();
  const options = columns.flatMap((id) => known.get(id) ?? []).map(titleOf);
  return (
    <div className={styles['card']} aria-live="polite">
      <strong>{title}</strong>
      <span>
        多选题集，{columns.length} 个选项：{options.slice(0, LEVELS).join('、')}
        {options.length > LEVELS ? '等' : ''}
      </span>
      <span>整组拖入频数分析或列联分析</span>
    </div>
  );
}

export function VariableCard({ ids }: { ids: readonly string[] }) {
  const { known } = useForm();
  if (ids.length > 1) return <div className={styles['card']}>已选 {ids.length} 个变量，回车放入合适的框</div>;
  const column = known.get(ids[0] ?? '');
  if (column === undefined) return null;
  const set = setOf(column);
  if (set !== null) return <SetCard title={titleOf(column)} columns={set.columns} />;
  const { profile } = column;
  const levels = (column.levels ?? []).toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0));
  return (
    <div className={styles['card']} aria-live="polite">
      <strong>{titleOf(column)}</strong>
      <span>
        有效 {profile.n.toLocaleString('zh-CN')}，缺失 {profile.missing.toLocaleString('zh-CN')}
      </span>
      {typeof profile.mean === 'number' && typeof profile.sd === 'number' && column.measure === '定量' ? (
        <span>
          <i className="st">M</i> = {figureText(profile.mean, column)}，<i className="st">SD</i> ={' '}
          {figureText(profile.sd, column)}，范围 {endText(profile.min, column)}–{endText(profile.max, column)}
        </span>
      ) : null}
      {column.measure === '定类' && levels.length > 0 ? (
        <span>
          {levels
            .slice(0, LEVELS)
            .map((level) => `${levelTitle(level)} ${countText(level)}`)
            .join('，')}
          {levels.length > LEVELS ? `，等 ${levels.length} 类` : ''}
        </span>
      ) : null}
    </div>
  );
}
