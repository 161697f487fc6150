/** /introduction/: from a table to a report, step by step, with a report the engine computed. */
import type { ReactNode } from 'react';

import { Actions, ButtonLink, Opening, Section, type SitePage, styles } from './parts.tsx';

const STEPS: readonly { title: string; text: string }[] = [
  { title: '上传', text: '把文件拖进“我的数据”。编码、表头、缺失码先替你看一遍，拿不准的会问你。' },
  { title: '整理', text: '改名、反向计分、筛选、合并，每一步都记下来，可以撤销。原始数据永不被改。' },
  { title: '选方法', text: '按研究目的找，或先选变量再看推荐。放错变量时，会说明原因和改法。' },
  { title: '看结果', text: '改一个设置，结果跟着更新。前提检验和结果在同一页。' },
  { title: '读报告', text: '先写结论，再写数字，然后是细节。每张表、每个图都能单独复制。' },
  { title: '导出与分享', text: '导出 Word、PDF、Excel，或者用只读链接发给别人。' },
];

export function introduction(example: ReactNode): SitePage {
  function Body() {
    return (
      <>
        <Opening title="从一张表到一份报告" lead="不用装软件，不用写代码。六步做完一次分析。">
          <Actions>
            <ButtonLink to="/mydata/index?example=1" strong>
              用示例数据走一遍
            </ButtonLink>
            <ButtonLink to="/help/">看方法手册</ButtonLink>
          </Actions>
        </Opening>
        <Section id="steps" title="六步">
          <ol className={styles['steps']}>
            {STEPS.map((step) => (
              <li key={step.title}>
                <h3>{step.title}</h3>
                <p>{step.text}</p>
              </li>
            ))}
          </ol>
        </Section>
        <Section id="report" title="报告长这样">
          <p className={styles['text']}>下面这份报告由计算引擎对公开数据算出，不是示意图。</p>
          <div className={styles['paper']}>{example}</div>
        </Section>
        <Section id="formats" title="能打开的文件">
          <p className={styles['text']}>{'{{formats}}。'}</p>
        </Section>
        <Section id="methods" title="方法">
          <p className={styles['text']}>
            {'现有 {{methods.total}} 种方法，其中 {{methods.standard}} 种免费使用。'}
            <a href="/help/">全部方法</a>
          </p>
        </Section>
      </>
    );
  }
  return {
    path: '/introduction/',
    title: '怎么用',
    description:
      '上传、整理、选方法、看结果、读报告、导出：在衡析做一次统计分析的六步，能打开的文件格式，以及一份真实的示例报告。',
    Body,
  };
}
