/** Sources by what they share; a press shows the first passage of one. */
import { integer } from '@hengxi/contracts/format';
import { shareText } from '@hengxi/contracts/plagdet';
import type { Report } from '@hengxi/server/plagdet/schema';
import { Button, Checkbox } from 'antd';
import { useState } from 'react';

import styles from './plagdet.module.css';

const FIRST = 20;

interface SourcesProps {
  report: Report;
  disabled: boolean;
  onOwn: (document: number, isOwn: boolean) => void;
  onShow: (document: number) => void;
}

export function Sources({ report: { sources, figures }, disabled, onOwn, onShow }: SourcesProps) {
  const [isWhole, setWhole] = useState(false);
  return (
    <section aria-labelledby="plagdet-sources">
      <h2 id="plagdet-sources">来源</h2>
      {sources.length === 0 ? (
        <p className={styles['quiet']}>没有找到相同或相似的来源。</p>
      ) : (
        <>
          <ol className={styles['sources']}>
            {sources
              .slice(0, isWhole ? undefined : FIRST)
              .map(({ document, name, same, similar, passages, is_own: isOwn }) => (
                <li key={document}>
                  <Button type="link" size="small" onClick={() => onShow(document)}>
                    {name}
                  </Button>
                  <span>
                    相同 {shareText(same, figures.counted)}，改写相似 {shareText(similar, figures.counted)}，
                    {integer(passages)} 处
                  </span>
                  <Checkbox
                    disabled={disabled}
                    checked={isOwn}
                    onChange={(event) => onOwn(document, event.target.checked)}
                  >
                    这是我的文章
                  </Checkbox>
                </li>
              ))}
          </ol>
          {sources.length > FIRST && !isWhole ? (
            <Button onClick={() => setWhole(true)}>列出全部 {integer(sources.length)} 篇</Button>
          ) : null}
          <p className={styles['quiet']}>几篇来源可能有同样的文字，各篇比例不能相加。</p>
        </>
      )}
    </section>
  );
}
