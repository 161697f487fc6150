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
      <Opening title="文本查重" lead="把一份文章和你自己的文库比，或者两份互相比，相同的地方标在原文上，旁边是来源。">
        <Actions>
          <ButtonLink to="/plagdet/checks" strong>
            开始查重
          </ButtonLink>
        </Actions>
      </Opening>
      <Section id="scope" title="先说清楚">
        <ul className={styles['plain']}>
          <li>只和你自己的文库比，没有互联网，也没有全国性的论文库。每份结果的第一行都写明和几篇文档比过。</li>
          <li>结果不等于学校或期刊所用系统的结果，不能代替它们的检测，也不判断合格不合格。</li>
          <li>相似不等于抄袭，要看具体段落。</li>
        </ul>
      </Section>
      <Section id="find" title="查得出什么">
        <ul className={styles['plain']}>
          <li>
            连续相同 13
            字以上的文字都会标出，只由一两个字符反复组成的除外。改动标点、全角半角、繁简体，或夹进看不见的字符，都不影响。
          </li>
          <li>改了一部分词的句子标为“改写相似”，另算比例。</li>
          <li>引用、目录和参考文献分开计算，每项比例都写明怎么算。</li>
          <li>改写超过三成、翻译、图片里的文字通常查不出。没有文字层的扫描件会直接说明。</li>
        </ul>
      </Section>
      <Section id="keep" title="文件怎么处理">
        <ul className={styles['plain']}>
          <li>支持 docx、有文字层的 pdf 和 txt，20 MB 以内，有效文字 300 到 200,000 字。</li>
          <li>上传的文件读完就删除。文字和结果到期自动删除，也可以随时删除；保留几天写在查重页上。</li>
          <li>查重不会把文件放进文库，除非你另外同意。文库只有你自己能比，随时可以删除。</li>
        </ul>
      </Section>
      <Section id="now" title="还可以">
        <p className={styles['text']}>
          手上有很多短文本，想看两两有多像，可以用<a href="/help/text-similarity/">文本相似度</a>
          。每行一份文本，结果给出两两的相似程度。
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
    '文本查重：和自己的文库比，或两份互相比，标出相同和改写相似的地方与来源。没有互联网和全国性的论文库，不能代替学校的检测。',
  Body: TextCheck,
};
