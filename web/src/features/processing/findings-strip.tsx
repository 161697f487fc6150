/** 数据体检 beside the tools: the most harmful findings, each with the tool that mends it, filled. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { methodsQuery } from '../../lib/catalogue.ts';
import { alikeOf, healthQuery, wayForAll, wayOut } from '../../lib/findings.ts';
import { CheckMark } from '../../ui/check-mark.tsx';
import styles from './findings-strip.module.css';

const MOST = 3;

export function FindingsStrip({ vid }: { vid: number }) {
  const findings = useQuery(healthQuery(vid)).data?.findings ?? [];
  const methods = useQuery(methodsQuery).data ?? [];
  const mended = findings.filter((finding) => wayOut(finding, vid, methods) !== null);
  if (mended.length === 0) return null;
  return (
    <section className={styles['strip']} aria-label="数据体检">
      <h2>
        数据体检 <Link to={`/mydata/detail/${vid}?tab=overview`}>全部 {findings.length} 处</Link>
      </h2>
      <ul>
        {mended.slice(0, MOST).map((finding) => {
          const way = wayOut(finding, vid, methods);
          const alike = alikeOf(findings, finding);
          const all = alike.length === 0 ? null : wayForAll([finding, ...alike], vid, methods);
          return (
            <li key={`${finding.code} ${finding.columns.join()} ${finding.condition}`}>
              <CheckMark state={finding.state} />
              <span title={finding.text}>{finding.title}</span>
              {way === null ? null : (
                <Link to={way.to} state={way.state}>
                  处理…<span className="hx-hidden">：{finding.title}</span>
                </Link>
              )}
              {all === null ? null : (
                <Link to={all.to} state={all.state}>
                  一起处理 {all.count} 个变量…
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
