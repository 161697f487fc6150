/** /price/: what the free edition brings, what membership costs. Every number comes from the packages and limits on sale. */
import {
  Actions,
  Asked,
  ButtonLink,
  Each,
  Has,
  HasNot,
  Opening,
  PhoneNotice,
  Section,
  type SitePage,
  styles,
} from './parts.tsx';

function Packages({ of, empty }: { of: 'packages' | 'edu'; empty: string }) {
  return (
    <>
      <ul className={styles['packages']}>
        <Each of={of}>
          <li>
            <h3>{'{{title}}'}</h3>
            <p className={styles['price']}>
              <b>
                <small>¥</small>
                {'{{price}}'}
              </b>
              <Has name="before">
                <s title="划线价为本站近期实际标价">{'¥{{before}}'}</s>
              </Has>
            </p>
            <p>{'{{term}}'}</p>
            <p className={styles['quiet']}>{'{{description}}'}</p>
            <Has name="discount">
              <p className={styles['quiet']}>{'{{discount}}'}</p>
            </Has>
            <ButtonLink to="/member/package" strong>
              购买
            </ButtonLink>
          </li>
        </Each>
      </ul>
      <HasNot name={of}>
        <p className={styles['note']}>{empty}</p>
      </HasNot>
    </>
  );
}

const ASKED = [
  { ask: '免费版能一直用吗？', answer: '能，没有到期日，限制见上表。' },
  { ask: '到期后数据还在吗？', answer: '在。超过免费版上限的文件可以查看、下载和删除，不能用于新的分析。' },
  { ask: '会自动续费吗？', answer: '不会。' },
  {
    ask: '可以退款吗？',
    answer: (
      <>
        可以申请，条件见<a href="/agreement">付费服务协议</a>。
      </>
    ),
  },
  { ask: '怎么开发票？', answer: '付款后在个人中心的订单记录里申请。' },
  { ask: '有优惠码怎么用？', answer: '在购买窗口填写，6 位。' },
  { ask: '买多份怎么算？', answer: '有效期相加，从现有到期日往后算。' },
  { ask: '学生有优惠吗？', answer: '通过教育认证后，可以购买教育套餐。' },
];

function Body() {
  return (
    <>
      <PhoneNotice />
      <Opening title="先免费用，不够再升级" lead="免费版没有到期日。数据多了、要用会员方法时，再开通会员。">
        <Actions>
          <ButtonLink to="/mydata/index" strong>
            免费开始
          </ButtonLink>
          <ButtonLink to="/enterprise">单位使用</ButtonLink>
        </Actions>
      </Opening>
      <Section id="packages" title="会员套餐">
        <Packages of="packages" empty="套餐正在调整，暂时不能购买。已有会员不受影响。" />
        <p className={styles['note']}>
          <Has name="struck">划线价是本站近期的实际标价。</Has>实付金额以下单时为准。
        </p>
      </Section>
      <Section id="editions" title="各版本对比">
        <div className={styles['scroll']} role="region" aria-label="各版本对比" tabIndex={0}>
          <table className={styles['table']}>
            <thead>
              <tr>
                <th scope="col">项目</th>
                <th scope="col">标准版</th>
                <th scope="col">会员</th>
                <th scope="col">企业版</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">方法</th>
                <td>{'{{methods.standard}} 种'}</td>
                <td>{'{{methods.total}} 种'}</td>
                <td>{'{{methods.total}} 种'}</td>
              </tr>
              <Each of="editions">
                <tr>
                  <th scope="row">{'{{title}}'}</th>
                  <td>{'{{standard}}'}</td>
                  <td>{'{{member}}'}</td>
                  <td>{'{{enterprise}}'}</td>
                </tr>
              </Each>
            </tbody>
          </table>
        </div>
        <p className={styles['note']}>
          表中就是实际执行的限额。超出时会先告诉你上限和解除办法，已填的内容不会丢。“不限”仍受单次运行的时间和内存限制。
        </p>
      </Section>
      <Section id="edu" title="教育套餐">
        <p className={styles['text']}>
          在校师生通过<a href="/solution/edu/#verify">教育认证</a>后可以购买。
        </p>
        <Packages of="edu" empty="暂无教育套餐。" />
      </Section>
      <Section id="asked" title="常见问题">
        <Asked items={ASKED} />
      </Section>
    </>
  );
}

export const price: SitePage = {
  path: '/price/',
  title: '价格',
  description: '衡析的免费版、会员套餐与教育套餐的价格，标准版、会员和企业版的限额对比，以及退款、发票、有效期的说明。',
  data: [],
  Body,
};
