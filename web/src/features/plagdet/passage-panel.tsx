/** The chosen passage side by side with its source; where several sources have it, one after the other. */
import { integer } from '@hengxi/contracts/format';
import { KIND_TEXT } from '@hengxi/contracts/plagdet';
import type { Passage, Report } from '@hengxi/server/plagdet/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox } from 'antd';

import { Loaded } from '../../ui/loaded.tsx';
import styles from './plagdet.module.css';
import { excerptQuery } from './queries.ts';

const SOURCES_MOST = 20;

interface PanelProps {
  report: Report;
  chosen: number | null;
  disabled: boolean;
  onChoose: (no: number | null) => void;
  onQuote: (no: number, isQuoted: boolean) => void;
}

export function PassagePanel({ report, chosen, disabled, onChoose, onQuote }: PanelProps) {
  const passage = report.passages.find(({ no }) => no === chosen);
  if (!passage)
    return (
      <section className={styles['panel']} aria-label="对照">
        <p className={styles['quiet']}>
          {report.passages.length === 0 ? '没有找到相同或相似的地方。' : '点原文里的一处标记，在这里与来源对照。'}
        </p>
      </section>
    );
  const others = report.passages
    .filter(({ no, start, end }) => no !== passage.no && start < passage.end && passage.start < end)
    .slice(0, SOURCES_MOST);
  return (
    <section className={styles['panel']} data-open aria-label="对照">
      <div className={styles['panelhead']}>
        <b>{kindText(passage)}</b>
        <Button size="small" onClick={() => onChoose(null)}>
          收起
        </Button>
      </div>
      <h3>本文</h3>
      <p className={styles['excerpt']}>
        <mark data-kind={passage.kind}>{report.text.slice(passage.start, passage.end)}</mark>
      </p>
      <Source id={report.check.id} passage={passage} />
      <Checkbox
        disabled={disabled}
        checked={passage.quoted}
        onChange={(event) => onQuote(passage.no, event.target.checked)}
      >
        这处是引用
      </Checkbox>
      {others.length === 0 ? null : (
        <>
          <h3>同一处的其他来源</h3>
          <ul className={styles['plain']}>
            {others.map((one) => (
              <li key={one.no}>
                <Button type="link" size="small" onClick={() => onChoose(one.no)}>
                  {report.sources.find(({ document }) => document === one.document)?.name ?? '常见表述'}，
                  {kindText(one)}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function kindText({ kind, ratio, documents }: Passage): string {
  if (kind === 'similar') return `${KIND_TEXT.similar}，相似度 ${integer(Math.round(ratio))}%`;
  if (kind === 'common') return `${KIND_TEXT.common}，出现在 ${integer(documents)} 篇以上`;
  return KIND_TEXT.same;
}

function Source({ id, passage }: { id: number; passage: Passage }) {
  const excerpt = useQuery(excerptQuery(id, passage.no));
  return (
    <Loaded query={excerpt} rows={2}>
      {({ name, before, passage: found, after }) => (
        <>
          <h3>来源：{name}</h3>
          <p className={styles['excerpt']}>
            {before}
            <mark data-kind={passage.kind}>{found}</mark>
            {after}
          </p>
        </>
      )}
    </Loaded>
  );
}
