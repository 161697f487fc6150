/** Choosing what stands beside a report: others of its project, and its own earlier results. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { Checkbox } from 'antd';
import { useState } from 'react';

import { ReportSkeleton } from '../../ui/skeleton.tsx';
import styles from './side-by-side.module.css';
import { type OpenReport, reportQuery, reportsQuery } from './queries.ts';

/** A report as it is shown, or one of its revisions. */
export interface Choice {
  rid: number;
  rev: number | null;
  name: string;
}

export const keyOf = ({ rid, rev }: Pick<Choice, 'rid' | 'rev'>): string => `${rid}/${rev ?? ''}`;

/** Reports of the project with a path that fits, this one first; with `revs` also its earlier results. */
export function useChoices(
  report: OpenReport,
  project: number,
  fits: (path: string) => boolean,
  revs: boolean,
): Choice[] {
  const { data } = useQuery(reportsQuery(project, null, 1, false));
  const others = (data?.list ?? []).filter((r) => r.rid !== report.rid && fits(r.path));
  const own: Choice[] = [{ rid: report.rid, rev: report.rev, name: report.title }];
  const earlier = revs ? report.history.filter(({ rev }) => rev !== report.rev) : [];
  return [
    ...own,
    ...earlier.map(({ rev }): Choice => ({ rid: report.rid, rev, name: `${report.title}（第 ${rev} 次）` })),
    ...others.map((r): Choice => ({ rid: r.rid, rev: null, name: r.title })),
  ];
}

/** What was chosen, loaded; null while something is under way. */
export function useChosen(project: number, chosen: readonly Choice[]): { choice: Choice; report: OpenReport }[] | null {
  const loaded = useQueries({
    queries: chosen.map(({ rid, rev }) => reportQuery({ project_id: project, report_id: rid }, rev)),
  });
  if (loaded.some((one) => one.isPending)) return null;
  return chosen.flatMap((choice, i) => {
    const report = loaded[i]?.data;
    return report === undefined ? [] : [{ choice, report }];
  });
}

interface ChooserProps {
  choices: readonly Choice[];
  most: number;
  value: readonly Choice[];
  onChange: (next: Choice[]) => void;
  none: string;
}

/** In the order ticked: the first is the one others are compared with. */
export function Chooser({ choices, most, value, onChange, none }: ChooserProps) {
  const [all, setAll] = useState(false);
  if (choices.length < 2) return <p className={styles['hint']}>{none}</p>;
  const keys = value.map(keyOf);
  const shown = all ? choices : choices.slice(0, 8);
  return (
    <fieldset className={styles['choices']}>
      <legend>选 2 到 {most} 个结果</legend>
      {shown.map((choice) => {
        const key = keyOf(choice);
        const isOn = keys.includes(key);
        return (
          <Checkbox
            key={key}
            checked={isOn}
            disabled={!isOn && value.length >= most}
            onChange={() => onChange(isOn ? value.filter((v) => keyOf(v) !== key) : [...value, choice])}
          >
            {choice.name}
          </Checkbox>
        );
      })}
      {choices.length > shown.length ? (
        <button type="button" className="hx-link" onClick={() => setAll(true)}>
          其余 {choices.length - shown.length} 个
        </button>
      ) : null}
    </fieldset>
  );
}

export function Waiting() {
  return <ReportSkeleton />;
}
