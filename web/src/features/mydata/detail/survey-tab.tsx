/** 问卷: which variables are the rows of a question, the items of a dimension, the background; confirmed once, used by every analysis. */
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { num } from '@hengxi/contracts/format';
import type { Column, Dimension, Questionnaire, QuestionnaireState, Version } from '@hengxi/server/files/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Checkbox, Input, InputNumber, Select } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { byId, titleOf } from '../../../fields/column.ts';
import { recodeStep, scoreStep } from '../../../fields/dimensions/fill.ts';
import { StepLink } from '../../../fields/dimensions/step-link.tsx';
import { ApiError, errorText } from '../../../lib/api.ts';
import { versionQuery } from '../../../lib/catalogue.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { againstQuery, forgetQuestionnaire, keepQuestionnaire, questionnaireQuery, refreshFiles } from '../queries.ts';
import { SetsDialog } from './sets-dialog.tsx';
import {
  changedDimension,
  changedMatrix,
  draftFault,
  freeItems,
  plainOf,
  withDimension,
  withMatrix,
} from './survey-draft.ts';
import styles from './survey-tab.module.css';

const NAME = 40;

/** The forms of analyses read it from the version. */
async function refresh(vid: number): Promise<void> {
  await Promise.all([
    refreshFiles(),
    queryClient.invalidateQueries({ queryKey: versionQuery(vid).queryKey, refetchType: 'all' }),
  ]);
}

export function SurveyTab({ version }: { version: Version }) {
  const state = useQuery(questionnaireQuery(version.vid));
  return (
    <div className={styles['page']}>
      <Loaded query={state} rows={6}>
        {(found) => <Structure key={JSON.stringify(found.kept)} version={version} state={found} />}
      </Loaded>
    </div>
  );
}

const options = (columns: readonly Column[]) => columns.map((one) => ({ value: one.id, label: titleOf(one) }));
const searchable = { optionFilterProp: 'label' } as const;

function Structure({ version, state }: { version: Version; state: QuestionnaireState }) {
  const { kept, proposed } = state;
  const start = kept ?? plainOf(proposed);
  const [draft, setDraft] = useState<Questionnaire>(start);
  const [sets, setSets] = useState(false);
  const [isForgetting, setForgetting] = useState(false);
  const navigate = useNavigate();
  const known = byId(version.columns);
  const save = useMutation({
    mutationFn: () => keepQuestionnaire(version.vid, draft),
    onSuccess: async () => {
      await refresh(version.vid);
      toast.done('问卷结构已保存，分析时可以一键放入');
    },
  });
  const forget = useMutation({
    mutationFn: () => forgetQuestionnaire(version.vid),
    onSuccess: () => refresh(version.vid),
  });
  const isChanged = JSON.stringify(draft) !== JSON.stringify(start);
  const fault = draftFault(draft);
  const refused =
    save.error instanceof ApiError
      ? (save.error.fields[0]?.text ?? errorText(save.error))
      : save.error && errorText(save.error);
  const isEmpty = draft.dimensions.length + draft.matrices.length + draft.background.length + version.sets.length === 0;
  return (
    <>
      <p className={styles['state']}>
        {kept !== null
          ? '已确认。信度、效度、区分度等分析可以一键放入这里的维度和反向题。'
          : isEmpty
            ? '列名看不出问卷的题目。如果这是问卷，请在下面指定维度和背景题。'
            : '下面是根据列名和答案识别的，还没有确认。请核对、改正，再点“确认”。'}
      </p>

      <section aria-label="维度">
        <div className={styles['head']}>
          <h2>维度（{draft.dimensions.length}）</h2>
          <span className={styles['hint']}>测量同一件事的量表题。反向题由您勾选，系统只提示。</span>
          <Button size="small" icon={<PlusOutlined aria-hidden />} onClick={() => setDraft(withDimension(draft, []))}>
            新建维度
          </Button>
        </div>
        {draft.dimensions.map((dimension) => (
          <DimensionCard
            key={dimension.id}
            vid={version.vid}
            dimension={dimension}
            known={known}
            free={freeItems(draft, version.columns)}
            onChange={(change) => setDraft(changedDimension(draft, dimension.id, change))}
            onRemove={() =>
              setDraft({ ...draft, dimensions: draft.dimensions.filter(({ id }) => id !== dimension.id) })
            }
          />
        ))}
        {draft.dimensions.length === 0 ? <p className={styles['none']}>没有维度</p> : null}
      </section>

      <section aria-label="多选题">
        <div className={styles['head']}>
          <h2>多选题（{version.sets.length}）</h2>
          <span className={styles['hint']}>一个选项一列的题，频数按人数和按选择数都算。</span>
          {version.sets.length > 0 ? (
            <Button size="small" onClick={() => setSets(true)}>
              修改
            </Button>
          ) : null}
        </div>
        <ul className={styles['plain']}>
          {version.sets.map((set) => (
            <li key={set.id}>
              <b>{set.label ?? set.name}</b>
              <span className={styles['hint']}>{set.columns.length} 个选项</span>
            </li>
          ))}
        </ul>
        {version.sets.length === 0 ? (
          <p className={styles['none']}>没有多选题。要定义时，在“变量”页勾选它的各列，再点“设为多选题集”。</p>
        ) : null}
      </section>

      <section aria-label="矩阵题">
        <div className={styles['head']}>
          <h2>矩阵题（{draft.matrices.length}）</h2>
          <span className={styles['hint']}>同一道题的几行，一行一列，答案的选项相同。</span>
          <Button size="small" icon={<PlusOutlined aria-hidden />} onClick={() => setDraft(withMatrix(draft, []))}>
            新建矩阵题
          </Button>
        </div>
        {draft.matrices.map((matrix, at) => (
          <div key={matrix.id} className={styles['line']}>
            <Input
              className={styles['name']}
              aria-label={`第 ${at + 1} 道矩阵题的名称`}
              value={matrix.name}
              maxLength={NAME}
              onChange={(event) => setDraft(changedMatrix(draft, matrix.id, { name: event.target.value }))}
            />
            <Select
              mode="multiple"
              className={styles['items']}
              aria-label={`${matrix.name} 的各行`}
              placeholder="选择各行"
              maxTagCount="responsive"
              value={matrix.columns}
              showSearch={searchable}
              options={options(version.columns)}
              onChange={(columns: string[]) => setDraft(changedMatrix(draft, matrix.id, { columns }))}
            />
            <Button
              type="text"
              aria-label={`删去矩阵题 ${matrix.name}`}
              icon={<DeleteOutlined aria-hidden />}
              onClick={() => setDraft({ ...draft, matrices: draft.matrices.filter(({ id }) => id !== matrix.id) })}
            />
          </div>
        ))}
        {draft.matrices.length === 0 ? <p className={styles['none']}>没有矩阵题</p> : null}
      </section>

      <section aria-label="背景题">
        <div className={styles['head']}>
          <h2>背景题（{draft.background.length}）</h2>
          <span className={styles['hint']}>性别、年龄这类关于答题人的题，用来描述样本和分组比较。</span>
        </div>
        <Select
          mode="multiple"
          className={styles['background']}
          aria-label="背景题"
          placeholder="选择背景题"
          value={draft.background}
          showSearch={searchable}
          options={options(version.columns)}
          onChange={(background: string[]) => setDraft({ ...draft, background })}
        />
      </section>

      <div className={styles['foot']}>
        <p role="alert" className={styles['fault']}>
          {fault ?? refused}
        </p>
        {kept === null ? null : (
          <Button onClick={() => setDraft(plainOf(proposed))} title="放弃现在的结构，回到按列名识别的结果">
            重新识别
          </Button>
        )}
        {kept === null ? null : (
          <Button loading={forget.isPending} onClick={() => setForgetting(true)}>
            不再保存结构
          </Button>
        )}
        {isChanged && kept !== null ? <Button onClick={() => setDraft(start)}>放弃修改</Button> : null}
        {kept !== null && !isChanged ? (
          <>
            <StepLink version={version} dimensions={kept.dimensions} step={recodeStep} text="转换反向题" />
            <StepLink version={version} dimensions={kept.dimensions} step={scoreStep} text="合成维度得分" />
            <Button type="primary" onClick={() => void navigate(`/analysis/survey/${version.vid}`)}>
              生成整卷报告
            </Button>
          </>
        ) : (
          <Button type="primary" disabled={fault !== null} loading={save.isPending} onClick={() => save.mutate()}>
            {kept === null ? '确认' : '保存'}
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={isForgetting}
        title="不再保存问卷结构"
        text="确认过的维度、反向题、矩阵题和背景题都会删去，不能恢复；数据和做过的报告不变。"
        act="不再保存"
        danger
        onAct={() => {
          setForgetting(false);
          forget.mutate();
        }}
        onClose={() => setForgetting(false)}
      />
      {sets ? <SetsDialog version={version} chosen={[]} onClose={() => setSets(false)} /> : null}
    </>
  );
}

interface DimensionCardProps {
  vid: number;
  dimension: Dimension;
  known: ReadonlyMap<string, Column>;
  free: readonly Column[];
  onChange: (change: Partial<Dimension>) => void;
  onRemove: () => void;
}

function DimensionCard({ vid, dimension, known, free, onChange, onRemove }: DimensionCardProps) {
  const { name, columns, reversed, low, high } = dimension;
  const against = useQuery(againstQuery(vid, columns)).data;
  const items = columns.flatMap((id) => known.get(id) ?? []);
  const said = (id: string): string => {
    const r = against?.find((one) => one.column === id)?.r;
    if (r !== undefined)
      return `与其余题的相关为 ${num(r, 2)}，${reversed.includes(id) ? '已标为反向题' : '可能是反向题'}`;
    return against !== undefined && reversed.includes(id) ? '与其余题同向：可能已经转换过，请核对' : '';
  };
  return (
    <article className={styles['card']} aria-label={`维度 ${name}`}>
      <div className={styles['line']}>
        <Input
          className={styles['name']}
          aria-label="维度名称"
          value={name}
          maxLength={NAME}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <span className={styles['hint']}>{items.length} 题，得分从</span>
        <InputNumber
          className={styles['end']}
          aria-label={`${name} 的最小值`}
          value={low}
          onChange={(value) => onChange({ low: value ?? 0 })}
        />
        <span className={styles['hint']}>到</span>
        <InputNumber
          className={styles['end']}
          aria-label={`${name} 的最大值`}
          value={high}
          onChange={(value) => onChange({ high: value ?? 0 })}
        />
        <Button
          type="text"
          className={styles['remove'] ?? ''}
          aria-label={`删去维度 ${name}`}
          title="删去维度；列不会删除"
          icon={<DeleteOutlined aria-hidden />}
          onClick={onRemove}
        />
      </div>
      <ul className={styles['rows']}>
        {items.map((column) => (
          <li key={column.id}>
            <span className={styles['item']} title={column.name}>
              {titleOf(column)}
            </span>
            <span className={styles['said']}>{said(column.id)}</span>
            <Checkbox
              checked={reversed.includes(column.id)}
              aria-label={`${titleOf(column)} 是反向题`}
              onChange={({ target }) =>
                onChange({
                  reversed: target.checked ? [...reversed, column.id] : reversed.filter((id) => id !== column.id),
                })
              }
            >
              反向题
            </Checkbox>
            <Button
              type="text"
              size="small"
              aria-label={`从 ${name} 移去 ${titleOf(column)}`}
              icon={<DeleteOutlined aria-hidden />}
              onClick={() => onChange({ columns: columns.filter((id) => id !== column.id) })}
            />
          </li>
        ))}
      </ul>
      <Select
        mode="multiple"
        className={styles['add']}
        size="small"
        aria-label={`加入 ${name} 的题项`}
        placeholder="加入题项"
        value={[]}
        showSearch={searchable}
        options={options(free)}
        onChange={(more: string[]) => onChange({ columns: [...columns, ...more] })}
      />
    </article>
  );
}
