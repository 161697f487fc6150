/** The weight and the split in force for every analysis of this version. */
import type { Column, Split, Version, Weight } from '@hengxi/server/files/schema';
import { useMutation } from '@tanstack/react-query';
import { Button, Checkbox, Segmented, Select } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';

import { isNumber } from '../../../fields/boxes/fit.ts';
import { distinctOf, levelTitle, titleOf } from '../../../fields/column.ts';
import { WEIGHT_WORD } from '../../../fields/weight/weight-field.tsx';
import { ApiError, errorText } from '../../../lib/api.ts';
import { versionQuery } from '../../../lib/catalogue.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { loadPinyin, score } from '../../../lib/search.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { MeasureIcon, measureKind } from '../../../ui/measure-icon.tsx';
import { setActive } from '../queries.ts';
import styles from './active-dialogs.module.css';

/** More groups than this the server refuses; fewer than two are no groups. */
const GROUPS_MOST = 30;

const WEIGHT_MEANING: Record<Weight['kind'], string> = {
  frequency: '每行代表这么多个相同的个案；须为非负整数',
  sampling: '每行代表总体里这么多个体；用于抽样调查',
  precision: '每行的精度，如方差的倒数；用于元分析和加权最小二乘',
};

/** May be a weight at all; whole numbers are asked for only by the frequency weight. */
export function canWeigh(column: Column, kind: Weight['kind']): boolean {
  const { profile } = column;
  if (!isNumber(column) || column.flags.includes('标识') || profile.non_negative !== true) return false;
  if (typeof profile.max === 'number' && profile.max <= 0) return false;
  return kind !== 'frequency' || profile.whole === true;
}

export function canSplit(column: Column): boolean {
  const groups = distinctOf(column);
  return !column.flags.includes('标识') && column.measure === '定类' && groups >= 2;
}

function useSetActive(version: Version, onClose: () => void) {
  return useMutation({
    mutationFn: (body: { weight: Weight | null } | { split: Split | null }) => setActive(version.vid, body),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: versionQuery(version.vid).queryKey });
      onClose();
    },
  });
}

function faultText(error: unknown): string | null {
  if (error === null || error === undefined) return null;
  return error instanceof ApiError ? (error.fields[0]?.text ?? errorText(error)) : errorText(error);
}

interface PickProps {
  label: string;
  columns: readonly Column[];
  value: string | null;
  none: string;
  onChange: (id: string | null) => void;
}

/** Found by name, label or pinyin, as everywhere. */
function PickColumn({ label, columns, value, none, onChange }: PickProps) {
  useEffect(() => {
    void loadPinyin();
  }, []);
  return (
    <Select
      showSearch={{
        filterOption: (text, option) => score(text, { title: option?.title ?? '', words: option?.words ?? [] }) > 0,
      }}
      allowClear
      aria-label={label}
      placeholder="选择变量"
      notFoundContent={none}
      className={styles['pick']}
      value={value}
      options={columns.map((column) => ({
        value: column.id,
        title: titleOf(column),
        words: [column.name],
        label: (
          <span className={styles['option']}>
            <MeasureIcon kind={measureKind(column)} /> {titleOf(column)}
          </span>
        ),
      }))}
      onChange={(id: string | undefined) => onChange(id ?? null)}
    />
  );
}

interface FrameProps {
  title: string;
  fault: string | null;
  hasNow: boolean;
  endWord: string;
  canApply: boolean;
  working: boolean;
  onEnd: () => void;
  onApply: () => void;
  onClose: () => void;
  children: ReactNode;
}

function ActiveFrame(props: FrameProps) {
  const { title, fault, hasNow, endWord, canApply, working, onEnd, onApply, onClose, children } = props;
  return (
    <Dialog
      open
      title={title}
      width="form"
      onClose={onClose}
      footer={
        <>
          {hasNow ? <Button onClick={onEnd}>{endWord}</Button> : <Button onClick={onClose}>取消</Button>}
          <Button type="primary" disabled={!canApply} loading={working} onClick={onApply}>
            应用
          </Button>
        </>
      }
    >
      {children}
      <p role="alert" className={styles['fault']}>
        {fault}
      </p>
    </Dialog>
  );
}

interface ActiveDialogProps {
  version: Version;
  onClose: () => void;
}

export function WeightDialog({ version, onClose }: ActiveDialogProps) {
  const now = version.active.weight;
  const [kind, setKind] = useState<Weight['kind']>(now?.kind ?? 'frequency');
  const [column, setColumn] = useState(now?.column ?? null);
  const save = useSetActive(version, onClose);
  const fitting = version.columns.filter((one) => canWeigh(one, kind));
  return (
    <ActiveFrame
      title="加权"
      fault={faultText(save.error)}
      hasNow={now !== null}
      endWord="取消加权"
      canApply={column !== null && fitting.some((one) => one.id === column)}
      working={save.isPending}
      onEnd={() => save.mutate({ weight: null })}
      onApply={() => column !== null && save.mutate({ weight: { column, kind } })}
      onClose={onClose}
    >
      <Segmented<Weight['kind']>
        block
        aria-label="权重的种类"
        options={(['frequency', 'sampling', 'precision'] as const).map((one) => ({
          value: one,
          label: WEIGHT_WORD[one],
        }))}
        value={kind}
        onChange={setKind}
      />
      <p className={styles['hint']}>{WEIGHT_MEANING[kind]}</p>
      <PickColumn
        label="权重变量"
        columns={fitting}
        value={fitting.some((one) => one.id === column) ? column : null}
        none={kind === 'frequency' ? '没有全是非负整数的变量' : '没有全是非负数的变量'}
        onChange={setColumn}
      />
      <p className={styles['hint']}>这一版的每个支持加权的分析都会用它；不支持的方法会说明。</p>
    </ActiveFrame>
  );
}

export function SplitDialog({ version, onClose }: ActiveDialogProps) {
  const now = version.active.split;
  const [column, setColumn] = useState(now?.column ?? null);
  const [levels, setLevels] = useState<Split['levels']>(now?.levels ?? null);
  const [total, setTotal] = useState(now?.total ?? true);
  const save = useSetActive(version, onClose);
  const fitting = version.columns.filter(canSplit);
  const chosen = fitting.find((one) => one.id === column) ?? null;
  const present = (chosen?.levels ?? []).filter((level) => (level.count ?? 0) > 0);
  const count = levels === null ? (chosen ? distinctOf(chosen) : 0) : levels.length;
  const tooMany = count > GROUPS_MOST ? `最多分 ${GROUPS_MOST} 组，现有 ${count} 组；请只选要看的类别` : null;
  return (
    <ActiveFrame
      title="分层"
      fault={tooMany ?? faultText(save.error)}
      hasNow={now !== null}
      endWord="取消分层"
      canApply={chosen !== null && count > 0 && tooMany === null}
      working={save.isPending}
      onEnd={() => save.mutate({ split: null })}
      onApply={() => chosen && save.mutate({ split: { column: chosen.id, levels, total } })}
      onClose={onClose}
    >
      <PickColumn
        label="分层变量"
        columns={fitting}
        value={chosen?.id ?? null}
        none="没有分类变量"
        onChange={(id) => {
          setColumn(id);
          setLevels(null);
        }}
      />
      {present.length > 0 ? (
        <Checkbox.Group
          className={styles['levels'] ?? ''}
          value={(levels ?? present.map((level) => level.value)).map(String)}
          options={present.map((level) => ({ value: String(level.value), label: levelTitle(level) }))}
          onChange={(picked) => {
            const kept = present.filter((level) => picked.includes(String(level.value)));
            setLevels(kept.length === present.length ? null : kept.map((level) => level.value));
          }}
        />
      ) : null}
      <Checkbox checked={total} onChange={(event) => setTotal(event.target.checked)}>
        同时给出合计
      </Checkbox>
      <p className={styles['hint']}>每个分析按各组分别做一遍，放在同一份报告里。</p>
    </ActiveFrame>
  );
}
