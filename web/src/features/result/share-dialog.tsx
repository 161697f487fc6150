/** 分享: how long, what, whether small counts are hidden; the link, how a visitor sees it, and the links that are open. 520 px. */
import { CopyOutlined } from '@ant-design/icons';
import { date } from '@hengxi/contracts/format';
import type { Share } from '@hengxi/server/reports/schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Checkbox, Input, Segmented } from 'antd';
import { useMemo, useState } from 'react';

import { copyForms } from '../../report/clipboard.ts';
import { SharedSheet } from '../../report/shared-sheet.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Bar } from '../../ui/skeleton.tsx';
import { endShare, type OpenReport, type Place, previewQuery, share, sharesQuery } from './queries.ts';
import { blocksOf } from './share-blocks.ts';
import styles from './share-dialog.module.css';

type Days = '7' | '30' | 'ever';

const DAYS: { value: Days; label: string }[] = [
  { value: '7', label: '7 天' },
  { value: '30', label: '30 天' },
  { value: 'ever', label: '永久' },
];

export function linkOf(code: string): string {
  return `${location.origin}/s/${code}`;
}

export function ShareDialog({ report, place, onClose }: { report: OpenReport; place: Place; onClose: () => void }) {
  const [created, setMade] = useState<Share | null>(null);
  return (
    <Dialog open title="分享报告" width="choose" onClose={onClose}>
      {created === null ? (
        <Choose report={report} place={place} onMade={setMade} />
      ) : (
        <CreatedShare share={created} onBack={() => setMade(null)} />
      )}
      <Live place={place} revs={report.revs} />
    </Dialog>
  );
}

function Choose({ report, place, onMade }: { report: OpenReport; place: Place; onMade: (share: Share) => void }) {
  const client = useQueryClient();
  const blocks = useMemo(() => blocksOf(report.document), [report.document]);
  const [days, setDays] = useState<Days>('7');
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const [hideSmall, setHideSmall] = useState(false);
  const [working, setWorking] = useState(false);
  const shown = blocks.filter((b) => !off.has(b.title));
  const make = async (): Promise<void> => {
    setWorking(true);
    try {
      const body = {
        days: days === 'ever' ? null : days === '7' ? (7 as const) : (30 as const),
        blocks: off.size === 0 ? null : shown.flatMap((b) => b.ids),
        hide_small: hideSmall,
      };
      const one = await share(place, body);
      await client.invalidateQueries({ queryKey: sharesQuery(place).queryKey });
      onMade(one);
    } catch {
      // The client has said what went wrong; the choices stand.
    } finally {
      setWorking(false);
    }
  };
  const toggle = (title: string, on: boolean): void => {
    const next = new Set(off);
    if (on) next.delete(title);
    else next.add(title);
    setOff(next);
  };
  return (
    <div className={styles['choose']}>
      <p className={styles['hint']}>得到链接的人不用登录就能看。看到的是此刻的快照，之后不会变；原始数据不会给出。</p>
      <div className={styles['field']}>
        <span id="share-days">多久</span>
        <Segmented<Days> aria-labelledby="share-days" options={DAYS} value={days} onChange={setDays} />
      </div>
      <fieldset className={styles['blocks']}>
        <legend>看什么</legend>
        {blocks.map((block) => (
          <Checkbox
            key={block.title}
            checked={!off.has(block.title)}
            onChange={(e) => toggle(block.title, e.target.checked)}
          >
            {block.title}
          </Checkbox>
        ))}
      </fieldset>
      <Checkbox checked={hideSmall} onChange={(e) => setHideSmall(e.target.checked)}>
        隐藏小于 5 的频数
      </Checkbox>
      {hideSmall ? (
        <p className={styles['hint']}>
          由它算出的百分比、样本说明里的各步行数一并隐去；均值、标准差等照常显示，组很小时可以去掉那一块。
        </p>
      ) : null}
      {hideSmall ? (
        <p className={styles['hint']}>
          各变量自己的样本量也照常显示，与总数相减可知缺失了几行；不便公开时，把缺失处理改为“整行剔除”后再分享，或去掉那一块。
        </p>
      ) : null}
      <div className={styles['foot']}>
        {shown.length === 0 ? <span className={styles['hint']}>至少留一块。</span> : null}
        <Button type="primary" loading={working} disabled={shown.length === 0} onClick={() => void make()}>
          创建链接
        </Button>
      </div>
    </div>
  );
}

function CreatedShare({ share, onBack }: { share: Share; onBack: () => void }) {
  const link = linkOf(share.code);
  return (
    <div className={styles['choose']}>
      <div className={styles['link']}>
        <Input readOnly value={link} aria-label="分享链接" onFocus={(e) => e.target.select()} />
        <Button
          type="primary"
          icon={<CopyOutlined aria-hidden />}
          onClick={() => void copyForms({ text: link }, '链接已复制')}
        >
          复制链接
        </Button>
      </div>
      <p className={styles['hint']}>
        {share.ends_at === null ? '永久有效，可随时停止。' : `${date(share.ends_at, true)} 前有效，可随时停止。`}
      </p>
      <Preview code={share.code} />
      <div className={styles['foot']}>
        <Button type="text" onClick={onBack}>
          再建一个
        </Button>
        <Button href={link} target="_blank" rel="noopener noreferrer">
          在新窗口打开
        </Button>
      </div>
    </div>
  );
}

/** The very answer a visitor gets, at the width of a phone. */
function Preview({ code }: { code: string }) {
  const data = useQuery(previewQuery(code));
  return (
    <figure className={styles['preview']}>
      <figcaption>访客看到的样子</figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
      <div className={styles['phone']} tabIndex={0} role="region" aria-label="访客看到的样子">
        {data.data === undefined ? <Bar height={240} /> : <SharedSheet shared={data.data} scope="preview-" />}
      </div>
    </figure>
  );
}

function Live({ place, revs }: { place: Place; revs: number }) {
  const client = useQueryClient();
  const live = useQuery(sharesQuery(place));
  const list = live.data?.list ?? [];
  if (list.length === 0) return null;
  const end = async (code: string): Promise<void> => {
    await endShare(code);
    await client.invalidateQueries({ queryKey: sharesQuery(place).queryKey });
  };
  return (
    <section className={styles['live']}>
      <h3>正在分享的链接</h3>
      <ul>
        {list.map((share) => (
          <li key={share.code}>
            <span className={styles['when']}>
              <a href={linkOf(share.code)} target="_blank" rel="noopener noreferrer" lang="en">
                …/{share.code.slice(0, 8)}
              </a>
              <span>
                {date(share.created_at, true)} 创建，{share.ends_at === null ? '永久' : `${date(share.ends_at)} 到期`}
                {share.rev === revs ? '' : `，第 ${share.rev} 次的结果`}
                {share.blocks === null ? '' : '，部分内容'}
                {share.hide_small ? '，隐藏小频数' : ''}
              </span>
            </span>
            <Button size="small" type="text" onClick={() => void copyForms({ text: linkOf(share.code) }, '链接已复制')}>
              复制
            </Button>
            <Button size="small" danger onClick={() => void end(share.code).catch(() => undefined)}>
              停止
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
