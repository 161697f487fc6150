/** What is active on a version: weight and split are judged here, before any method sees them. */
import { Fault } from '../../lib/errors.ts';
import type { Column, Split, Weight } from './schema.ts';

const WEIGHTS: Record<Weight['kind'], string> = { frequency: '频数权重', sampling: '抽样权重', precision: '精度权重' };
const SPLIT_MAX = 30;

function refuse(field: string, code: string, text: string, column: string): never {
  throw new Fault(30508, { text }, { fields: [{ field, code, text, column }] });
}

function find(columns: Column[], id: string, field: string): Column {
  const column = columns.find((one) => one.id === id);
  if (!column) refuse(field, `${field}.gone`, '所选变量在这份数据中不存在，请重新选择', id);
  return column;
}

export function demandWeight(columns: Column[], weight: Weight): void {
  const column = find(columns, weight.column, 'weight');
  const word = WEIGHTS[weight.kind];
  const { profile, name, id } = column;
  const isNumber = column.storage === 'int' || column.storage === 'float';
  if (!isNumber) refuse('weight', 'weight.text', `${word}必须是数值；变量“${name}”不是`, id);
  if (!profile.non_negative) refuse('weight', 'weight.negative', `${word}必须是非负数；变量“${name}”含有负数`, id);
  if (weight.kind === 'frequency' && !profile.whole)
    refuse('weight', 'weight.whole', `频数权重必须是非负整数；变量“${name}”含小数`, id);
  if (typeof profile.max === 'number' && profile.max <= 0)
    refuse('weight', 'weight.zero', `${word}“${name}”之和为 0，无法计算`, id);
}

export function demandSplit(columns: Column[], split: Split): void {
  const column = find(columns, split.column, 'split');
  const { name, id, profile } = column;
  const groups = split.levels?.length ?? profile.distinct;
  if (groups > SPLIT_MAX)
    refuse(
      'split',
      'split.many',
      `分组最多 ${SPLIT_MAX} 组；变量“${name}”有 ${groups} 个取值，请选择部分类别或先合并`,
      id,
    );
  if (groups === 0) refuse('split', 'split.empty', `变量“${name}”没有有效值，不能用来分组`, id);
}
