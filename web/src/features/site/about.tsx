/** /about/, /promo/, /plagdet/: who we are, what is on offer now, and what the text check does and does not do. */
import { Actions, ButtonLink, Has, HasNot, Opening, Section, type SitePage, styles } from './parts.tsx';

function About() {
  return (
    <>
      <Opening title="关于衡析" lead="衡是秤，析是分开来看。先称准，再说清。" />
      <Section id="checked" title="怎么核对数字">
        <p className={styles['text']}>
          方法算出的数字用独立的程序（多数是
          R）重算，逐格比较。用哪个程序、核对了几组，写在该方法帮助页的末尾；没有写的，就是还没有核对。
        </p>
        <p className={styles['text']}>算法口径与其他软件不同时，帮助页会写明差在哪里。</p>
        <Actions>
          <ButtonLink to="/help/">看方法手册</ButtonLink>
        </Actions>
      </Section>
      <Section id="not" title="不做什么">
        <ul className={styles['plain']}>
          <li>不卖数据。</li>
          <li>不用你的数据训练模型。</li>
          <li>不代写论文。</li>
        </ul>
      </Section>
      <Section id="open" title="建立在开源之上">
        <p className={styles['text']}>
          计算引擎用到 Python 的 NumPy、pandas、SciPy、statsmodels 和 scikit-learn，页面用到 React 和 Apache
          ECharts。感谢它们的作者。
        </p>
      </Section>
      <Section id="contact" title="联系">
        <dl className={styles['facts']}>
          <Has name="company.name">
            <div>
              <dt>运营方</dt>
              <dd>{'{{company.name}}'}</dd>
            </div>
          </Has>
          <Has name="company.address">
            <div>
              <dt>地址</dt>
              <dd>{'{{company.address}}'}</dd>
            </div>
          </Has>
          <Has name="company.hotline">
            <div>
              <dt>电话</dt>
              <dd>{'{{company.hotline}}'}</dd>
            </div>
          </Has>
          <Has name="company.mail">
            <div>
              <dt>邮箱</dt>
              <dd>
                <a href="mailto:{{company.mail}}">{'{{company.mail}}'}</a>
              </dd>
            </div>
          </Has>
          <div>
            <dt>合作</dt>
            <dd>
              <a href="/business-cooperation/">商务合作</a>
            </dd>
          </div>
        </dl>
      </Section>
    </>
  );
}

function Promo() {
  return (
    <>
      <Has name="promo.title">
        <Opening title="{{promo.title}}" lead="{{promo.from}} 至 {{promo.to}}">
          <Actions>
            <ButtonLink to="/member/package" strong>
              查看套餐
            </ButtonLink>
          </Actions>
        </Opening>
      </Has>
      <HasNot name="promo.title">
        <Opening title="优惠活动" lead="现在没有进行中的活动。">
          <Actions>
            <ButtonLink to="/price/" strong>
              查看价格
            </ButtonLink>
          </Actions>
        </Opening>
      </HasNot>
      <Has name="promo.first">
        <p className={styles['note']}>{'原定到 {{promo.first}}，延至 {{promo.to}}。'}</p>
      </Has>
      <Has name="promo.rules">
        <Section id="rules" title="活动规则">
          <p className={styles['lines']}>{'{{promo.rules}}'}</p>
        </Section>
      </Has>
    </>
  );
}

function TextCheck() {
  return (
    <>
      <Opening title="文本查重" lead="手上几份文本彼此有多像，用文本相似度就能算。这里不对照文献库。" />
      <Section id="scope" title="先说清楚">
        <ul className={styles['plain']}>
          <li>只比较你自己上传的文本，不对照任何文献库，也不会把文本交给别人。</li>
          <li>结果不等于学校或期刊所用系统的结果，不能代替学校的检测。</li>
          <li>相似度高不等于抄袭，要看具体段落。</li>
        </ul>
      </Section>
      <Section id="now" title="怎么做">
        <p className={styles['text']}>
          手上有多份文本，想看彼此有多像，可以用<a href="/help/text-similarity/">文本相似度</a>。
          每行一份文本，结果给出两两的相似程度。
        </p>
      </Section>
    </>
  );
}

export const about: SitePage = {
  path: '/about/',
  title: '关于衡析',
  description:
    '衡析是在线统计分析平台。这一页说明名字的意思、数字怎样核对、不做什么、用到哪些开源软件，以及怎样联系运营方。',
  Body: About,
};

export const promo: SitePage = {
  path: '/promo/',
  title: '优惠活动',
  description: '衡析正在进行的价格活动：起止日期和规则。没有活动时，这里会直接说明，价格以价格页和下单时为准。',
  noindex: true,
  Body: Promo,
};

export const plagdet: SitePage = {
  path: '/plagdet/',
  title: '文本查重',
  description:
    '怎样用文本相似度比较手上的几份文本，结果能说明什么、不能说明什么：只比较自己上传的文本，不对照文献库，不能代替学校的检测。',
  Body: TextCheck,
};
