/** /solution/industry/ and /solution/edu/: by what one works on. Examples are public or simulated data, never customers. */
import { Actions, ButtonLink, Methods, Opening, Section, type SitePage, styles } from './parts.tsx';

interface Job {
  id: string;
  title: string;
  question: string;
  data: string;
  methods: readonly [slug: string, title: string][];
}

const JOBS: readonly Job[] = [
  {
    id: 'survey',
    title: '问卷与市场研究',
    question: '顾客满意吗？哪些方面最该改？愿意付多少钱？',
    data: '问卷系统导出的 Excel、CSV 或 SPSS 文件。多选题、排序题和量表题分别识别。',
    methods: [
      ['reliability', '信度分析'],
      ['multiple-choice', '多选题分析'],
      ['kano', 'KANO 模型'],
      ['importance-performance', 'IPA 重要性-绩效分析'],
      ['nps', 'NPS 净推荐值'],
      ['maxdiff', 'MaxDiff 模型'],
    ],
  },
  {
    id: 'quality',
    title: '质量与生产',
    question: '过程稳定吗？能力够吗？量具测得准吗？',
    data: '按时间顺序的测量值，或每批的不合格数。',
    methods: [
      ['xbar-r', '均值-极差控制图'],
      ['process-capability', '过程能力分析'],
      ['gage-rr', '量具 R&R'],
      ['factorial-doe', '析因试验设计'],
      ['acceptance-sampling', '抽样检验方案'],
    ],
  },
  {
    id: 'health',
    title: '医学与公共卫生',
    question: '两组的率差多少？两种诊断一致吗？需要多少样本？',
    data: '一行一个受试者的表。分组、结局和协变量各占一列。',
    methods: [
      ['power-sample-size', '功效与样本量'],
      ['two-proportion-test', '两样本率检验'],
      ['cmh-test', '分层卡方检验'],
      ['logistic-regression', '二元 Logistic 回归'],
      ['kappa', 'Kappa 一致性检验'],
    ],
  },
  {
    id: 'evaluation',
    title: '评价与经营预测',
    question: '谁排第一，换一组权重还排第一吗？下个季度是多少？',
    data: '指标表，或按月、按季的序列。',
    methods: [
      ['entropy-weight', '熵值法'],
      ['ahp', '层次分析法'],
      ['topsis', 'TOPSIS'],
      ['dea', '数据包络分析'],
      ['arima', 'ARIMA 模型'],
    ],
  },
];

function Industry() {
  return (
    <>
      <Opening
        title="把业务问题，变成说得清的数字"
        lead="先看问题属于哪一类，再看需要什么数据、用什么方法。示例都是公开或模拟数据，不是客户案例。"
      />
      {JOBS.map((job) => (
        <Section key={job.id} id={job.id} title={job.title}>
          <dl className={styles['facts']}>
            <div>
              <dt>要回答的问题</dt>
              <dd>{job.question}</dd>
            </div>
            <div>
              <dt>需要的数据</dt>
              <dd>{job.data}</dd>
            </div>
            <div>
              <dt>常用方法</dt>
              <dd>
                <Methods list={job.methods} />
              </dd>
            </div>
          </dl>
        </Section>
      ))}
      <Section id="start" title="从一个例子开始">
        <p className={styles['text']}>方法的帮助页带有示例，可以下载，也可以直接打开试做。</p>
        <Actions>
          <ButtonLink to="/help/" strong>
            按方法找
          </ButtonLink>
          <ButtonLink to="/business-cooperation/">说说你要解决的问题</ButtonLink>
        </Actions>
      </Section>
    </>
  );
}

const THESIS: readonly { title: string; text: string; methods: Job['methods'] }[] = [
  {
    title: '收数据之前：要多少份',
    text: '先想好要发现多大的差异，再算样本量。',
    methods: [
      ['survey-sample-size', '调查样本量计算'],
      ['power-sample-size', '功效与样本量'],
    ],
  },
  {
    title: '量表可不可信',
    text: '先看作答质量，再看信度和效度。',
    methods: [
      ['response-quality', '作答质量检查'],
      ['reliability', '信度分析'],
      ['factor-analysis', '因子分析（探索性）'],
    ],
  },
  {
    title: '差异与关系',
    text: '两组比较、多组比较、相关和回归。前提检验逐条列出。',
    methods: [
      ['independent-t-test', '独立样本 t 检验'],
      ['variance', '单因素方差分析'],
      ['linear-regression', '线性回归'],
    ],
  },
];

function Education() {
  return (
    <>
      <Opening title="把统计课，用在自己的数据上" lead="论文由你自己写。衡析负责算对、说明白，并写清每个数字从哪里来。">
        <Actions>
          <ButtonLink to="/mydata/index" strong>
            免费开始
          </ButtonLink>
          <ButtonLink to="/price/#edu">教育套餐</ButtonLink>
        </Actions>
      </Opening>
      <Section id="thesis" title="写论文的顺序">
        <ol className={styles['steps']}>
          {THESIS.map((step) => (
            <li key={step.title}>
              <h3>{step.title}</h3>
              <p>{step.text}</p>
              <Methods list={step.methods} />
            </li>
          ))}
          <li>
            <h3>写进论文</h3>
            <p>三线表、图和参考文献可以导出为 Word。报告记录方法、参数和随机种子，导师可以重算。</p>
          </li>
        </ol>
      </Section>
      <Section id="class" title="课堂">
        <ul className={styles['cards']}>
          <li>
            <h3>同一份数据</h3>
            <p>每个方法带示例数据，全班从同一张表开始。</p>
          </li>
          <li>
            <h3>看得见公式</h3>
            <p>帮助页列出公式、符号和出处，可以对着手算核对。</p>
          </li>
          <li>
            <h3>只读分享</h3>
            <p>学生用链接交作业，老师打开就能看到报告和设置。</p>
          </li>
        </ul>
      </Section>
      <Section id="verify" title="教育认证">
        <ol className={styles['plain']}>
          <li>登录。</li>
          <li>
            打开个人中心的<a href="/member?edu=1&eduParams=new">教育认证</a>。
          </li>
          <li>三种方式选一种：学校邮箱验证码、学信网在线验证报告编号、学生证或教师证照片。照片请遮住身份证号。</li>
          <li>等待审核。未通过时会写明原因，可以重新提交。</li>
          <li>通过后可以购买教育套餐。</li>
        </ol>
      </Section>
      <Section id="honest" title="几条约定">
        <ul className={styles['plain']}>
          <li>“不显著”不等于没有差异，报告会给出置信区间。</li>
          <li>前提不满足时，报告会说明并给出可换的方法，不会替你悄悄换掉。</li>
          <li>学校对工具使用有规定的，请按规定在论文里说明。</li>
        </ul>
      </Section>
    </>
  );
}

export const industry: SitePage = {
  path: '/solution/industry/',
  title: '行业方案',
  description:
    '问卷与市场研究、质量与生产、医学与公共卫生、评价与经营预测：每一类要回答的问题、需要的数据和常用的统计方法。',
  Body: Industry,
};

export const education: SitePage = {
  path: '/solution/edu/',
  title: '教育方案',
  description:
    '从样本量、信度效度到差异检验与回归，学生写论文的顺序；课堂怎么用示例数据；教育认证怎么做，教育套餐怎么买。',
  Body: Education,
};
