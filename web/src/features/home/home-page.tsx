/** The home page: understood in five seconds, tried in sixty. Nothing on it that the product cannot show (site page, principle 2). */
import { CheckOutlined } from '@ant-design/icons';
import type { Statistics } from '@hengxi/server/help/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useNavigate } from 'react-router';

import { api } from '../../lib/api.ts';
import { prompts } from '../../lib/prompts.ts';
import { useSession } from '../../lib/session.ts';
import { PhoneNotice } from '../../ui/phone-notice.tsx';
import { ExampleSheet } from './example-sheet.tsx';
import styles from './home-page.module.css';

const PROMISES = ['原始数据永不被改，每一步可撤销', '每个数字注明公式、样本量和出处', '全程中文，不用写代码'] as const;

const REASONS = [
  { title: '同样的数据和设置，得到同样的数字', text: '每份报告记录方法、参数、随机种子和程序版本，可以原样重算。' },
  { title: '前提检验逐条列出', text: '不满足时说清影响多大、可以怎么办，不替你悄悄换方法。' },
  { title: '公式和参考文献公开', text: '方法的帮助页写明公式、出处，以及用哪个软件核对过，欢迎验证。' },
] as const;

const QUESTIONS = [
  { ask: '要装软件吗？', answer: '不用，浏览器打开就能用。分析请在电脑上做，手机适合阅读和分享。' },
  {
    ask: '结果和 R、SPSS 一样吗？',
    answer: '核对过的方法一致；算法口径不同的，写在该方法的帮助页。',
  },
  { ask: '能直接用于论文吗？', answer: '可以，三线表和图能复制到 Word；结论请自己把关。' },
  { ask: '数据会给别人看吗？', answer: '不会。文件只存在你的账号下，可以随时删除；分享只包含你选的那份报告。' },
] as const;

export function HomePage() {
  return (
    <>
      <PhoneNotice />
      <section className={styles['hero']}>
        <Opening />
        <div className={styles['sheet']}>
          <ExampleSheet />
        </div>
      </section>
      <Steps />
      <section className={styles['band']} aria-labelledby="home-why">
        <h2 id="home-why">为什么可信</h2>
        <div className={styles['three']}>
          {REASONS.map((reason) => (
            <div key={reason.title}>
              <h3>{reason.title}</h3>
              <p>{reason.text}</p>
            </div>
          ))}
        </div>
      </section>
      <section className={styles['band']} aria-labelledby="home-ask">
        <h2 id="home-ask">常见问题</h2>
        <dl className={styles['asked']}>
          {QUESTIONS.map((item) => (
            <div key={item.ask}>
              <dt>{item.ask}</dt>
              <dd>{item.answer}</dd>
            </div>
          ))}
        </dl>
        <p className={styles['end']}>算得准，说得清</p>
      </section>
    </>
  );
}

function Opening() {
  const signedIn = useSession((state) => state.token !== null);
  const navigate = useNavigate();
  const start = (path: string) => {
    if (signedIn) void navigate(path);
    else void navigate(`/?login=1&next=${encodeURIComponent(path)}`);
    if (!signedIn) prompts.openLogin();
  };
  return (
    <div className={styles['opening']}>
      <h1>
        每个结论，
        <br />
        都经得起核对
      </h1>
      <p className={styles['lead']}>
        在线统计分析平台。上传数据、选对方法，
        <br />
        得到一份能直接写进论文的报告。
      </p>
      <div className={styles['actions']}>
        <Button type="primary" size="large" onClick={() => start('/mydata/index')}>
          免费开始
        </Button>
        <Button size="large" onClick={() => start('/mydata/index?example=1')}>
          用示例数据走一遍
        </Button>
      </div>
      <ul className={styles['promises']}>
        {PROMISES.map((promise) => (
          <li key={promise}>
            <CheckOutlined aria-hidden /> {promise}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The beam with its scale, and three weights on it. */
function Steps() {
  const { data } = useQuery({
    queryKey: ['statistics'],
    queryFn: ({ signal }) => api.get<Statistics>('/v1/index/statistics', { signal, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const methods = data ? `按研究目的找，现有 ${data.methods} 种方法` : '按研究目的找方法';
  const steps = [
    { title: '拖进来', first: 'CSV、Excel、SPSS 文件都认得', then: '编码、表头、缺失码先替你看一遍，拿不准的再问你。' },
    { title: '选方法', first: '按变量推荐，每条说明为什么', then: `${methods}；放错变量时给出改法。` },
    { title: '读报告', first: '先结论，后数字，再细节', then: '三线表、图、前提检验和参考文献，可直接复制进论文。' },
  ];
  return (
    <section className={styles['steps']} aria-label="三步">
      <svg className={styles['scale']} width="100%" height="10" aria-hidden="true">
        <defs>
          <pattern id="home-ticks" width="120" height="10" patternUnits="userSpaceOnUse">
            <path d="M.5 1v8" stroke="var(--pri)" />
            <path d="M24.5 1v4M48.5 1v4M72.5 1v4M96.5 1v4" stroke="var(--pri)" />
          </pattern>
        </defs>
        <rect width="100%" height="2" fill="var(--pri)" />
        <rect width="100%" height="10" fill="url(#home-ticks)" />
      </svg>
      <ol className={styles['weights']}>
        {steps.map((step) => (
          <li key={step.title}>
            <h2>{step.title}</h2>
            <p>{step.first}</p>
            <p className={styles['quiet']}>{step.then}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
