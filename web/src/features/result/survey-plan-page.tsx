/** /analysis/survey/{vid}: what a first report of the questionnaire would hold; parts are left out before it is made. */
import { date } from '@hengxi/contracts/format';
import type { PlannedPart } from '@hengxi/server/files/schema';
import type { SurveyPlan } from '@hengxi/server/survey-reports/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Checkbox, Input } from 'antd';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';

import { ApiError, errorText, isNotFound } from '../../lib/api.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { startSurvey, surveyPlanQuery } from './survey-queries.ts';
import styles from './survey-plan-page.module.css';

const MOST = 50;

export function SurveyPlanPage() {
  const vid = Number(useParams()['vid']);
  const plan = useQuery(surveyPlanQuery(vid));
  const navigate = useNavigate();
  if (plan.isLoadingError) {
    const isGone = isNotFound(plan.error);
    const isUnconfirmed = plan.error instanceof ApiError && plan.error.status === 422;
    return (
      <div className={styles['page']}>
        <EmptyState
          heading
          title={isGone ? '没有找到这份数据' : isUnconfirmed ? '还不能生成整卷报告' : '这一页没有打开'}
          hint={isGone ? '它可能已被删除，或属于另一个账号。' : errorText(plan.error)}
          actions={
            isGone ? (
              <Button onClick={() => void navigate('/mydata/index')}>返回我的数据</Button>
            ) : isUnconfirmed ? (
              <Button type="primary" onClick={() => void navigate(`/mydata/detail/${vid}?tab=survey`)}>
                核对问卷结构
              </Button>
            ) : (
              <Button onClick={() => void plan.refetch()}>重试</Button>
            )
          }
        />
      </div>
    );
  }
  return plan.data === undefined ? <PageSkeleton /> : <Plan vid={vid} plan={plan.data} />;
}

/** The sections in their order, each with its parts. */
export function sectionsOf<T extends { section: string }>(parts: readonly T[]): { title: string; parts: T[] }[] {
  const sections = new Map<string, T[]>();
  for (const part of parts) sections.set(part.section, [...(sections.get(part.section) ?? []), part]);
  return Array.from(sections, ([title, own]) => ({ title, parts: own }));
}

function Plan({ vid, plan }: { vid: number; plan: SurveyPlan }) {
  const navigate = useNavigate();
  const [name, setName] = useState(plan.name);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    new Set(plan.parts.filter((part) => part.chosen).map(({ key }) => key)),
  );
  const start = useMutation({
    mutationFn: () =>
      startSurvey({
        vid,
        name: name.trim(),
        parts: plan.parts.filter(({ key }) => chosen.has(key)).map(({ key, title }) => ({ key, title })),
      }),
    onSuccess: ({ project_id }) => navigate(`/analysis/survey-report/${project_id}`),
  });
  const put = (parts: readonly PlannedPart[], on: boolean): void => {
    const next = new Set(chosen);
    for (const { key } of parts) {
      if (on) next.add(key);
      else next.delete(key);
    }
    setChosen(next);
  };
  const { error } = start;
  const refused = error instanceof ApiError ? (error.fields[0]?.text ?? errorText(error)) : error && errorText(error);
  const fault =
    plan.parts.length === 0
      ? '没有可以分析的题目，请先核对问卷结构'
      : chosen.size > MOST
        ? `一份报告最多 ${MOST} 部分，请去掉 ${chosen.size - MOST} 部分`
        : name.trim() === ''
          ? '请输入报告名称'
          : null;
  return (
    <div className={styles['page']}>
      <h1>整卷报告</h1>
      <p className={styles['hint']}>
        下面每一行是一项分析，做好后合成一份文档。不要的可以现在去掉，做好后也可以再去掉。
        <Link to={`/mydata/detail/${vid}?tab=survey`}>修改问卷结构</Link>
      </p>
      {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the input is inside */}
      <label className={styles['name']}>
        报告名称
        <Input value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
      </label>
      {sectionsOf(plan.parts).map(({ title, parts }) => {
        const on = parts.filter(({ key }) => chosen.has(key)).length;
        return (
          <section key={title} aria-label={title} className={styles['section']}>
            <h2>
              <Checkbox
                checked={on === parts.length}
                indeterminate={on > 0 && on < parts.length}
                onChange={({ target }) => put(parts, target.checked)}
              >
                {title}
              </Checkbox>
              <span className={styles['count']}>
                {on} / {parts.length}
              </span>
            </h2>
            <ul>
              {parts.map((part) => (
                <li key={part.key}>
                  <Checkbox checked={chosen.has(part.key)} onChange={({ target }) => put([part], target.checked)}>
                    {part.title}
                  </Checkbox>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      {plan.left_out.map((text) => (
        <p key={text} className={styles['hint']}>
          {text}
        </p>
      ))}
      {plan.made.length > 0 ? (
        <section className={styles['section']} aria-label="做过的整卷报告">
          <h2>做过的整卷报告</h2>
          <ul>
            {plan.made.map(({ project_id, name: title, created_at }) => (
              <li key={project_id}>
                <Link to={`/analysis/survey-report/${project_id}`}>{title}</Link>
                <span className={styles['count']}>{date(created_at, true)}</span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <div className={styles['foot']}>
        <p role="alert" className={styles['fault']}>
          {fault ?? refused}
        </p>
        <Button
          type="primary"
          disabled={fault !== null || chosen.size === 0}
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          生成报告（{chosen.size} 部分）
        </Button>
      </div>
    </div>
  );
}
