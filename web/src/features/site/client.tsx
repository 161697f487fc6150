/** /client/: installing the page as an application, and running the product on one's own machine. */
import { Actions, Asked, ButtonLink, Opening, PhoneNotice, Section, type SitePage, styles } from './parts.tsx';

const ASKED = [
  { ask: '有独立的安装程序吗？', answer: '暂无。装到桌面的是网页应用，占用很小，总是最新版。' },
  { ask: '断网能用吗？', answer: '不能。分析在服务器上计算，断网时页面会说明，已填的内容不会丢。' },
  {
    ask: '能从文件管理器直接打开数据文件吗？',
    answer: '不能。请在“我的数据”里上传，或把文件拖进页面。',
  },
];

function Body() {
  return (
    <>
      <PhoneNotice />
      <Opening
        title="装在电脑上，或装在自己的服务器上"
        lead="浏览器打开就能用。想要一个独立窗口，或数据不能出单位，看这一页。"
      />
      <Section id="install" title="装到桌面">
        <p className={styles['text']}>
          装好后有自己的图标和窗口，和网页用同一个账号、同一份数据。需要 Chrome、Edge 等 Chromium 内核的浏览器。
        </p>
        <ol className={styles['plain']}>
          <li>用电脑上的 Chrome 或 Edge 打开本站。</li>
          <li>点地址栏右侧的安装图标；没有图标时，在浏览器菜单里选“安装衡析”或“应用 › 将此站点作为应用安装”。</li>
          <li>之后从桌面或开始菜单打开。</li>
        </ol>
        <Actions>
          <button type="button" className={styles['strong']} data-install="" hidden>
            安装
          </button>
        </Actions>
        <p className={styles['note']}>本站须用 https 打开，浏览器才会提供安装。Firefox 不支持安装，可以收藏网页。</p>
      </Section>
      <Section id="self-host" title="自己部署">
        <p className={styles['text']}>
          整个产品可以装在一台 Linux 机器上：网页、服务、计算引擎和数据库一起启动，不需要另装数据库，不需要容器。
        </p>
        <dl className={styles['facts']}>
          <div>
            <dt>机器</dt>
            <dd>64 位 Linux，Node 20.19 以上，Python 3.11，git。Debian、Ubuntu 还要 python3.11-venv。</dd>
          </div>
          <div>
            <dt>网络</dt>
            <dd>第一次启动会从 npm 和 PyPI 下载软件包。之后的启动和分析不需要外网。</dd>
          </div>
        </dl>
        <ol className={styles['plain']}>
          <li>
            拿到代码：<a href="/business-cooperation/?topic=enterprise">联系我们</a>取得仓库地址和授权。
          </li>
          <li>
            安装并启动：
            <pre>
              <code>{'git clone <仓库地址> hengxi\ncd hengxi\nnpm start'}</code>
            </pre>
            看到“衡析已就绪”后，打开它写出的地址。第一次启动约需几分钟。
          </li>
          <li>
            换端口和数据目录：
            <pre>
              <code>PORT=8080 HENGXI_DATA=/srv/hengxi npm start</code>
            </pre>
            全部数据都在 HENGXI_DATA 指向的文件夹里。
          </li>
          <li>
            备份，服务不用停：
            <pre>
              <code>npm run backup -- /备份/hengxi.tar.gz</code>
            </pre>
          </li>
        </ol>
        <p className={styles['text']}>
          这样启动的是试用：数据库是嵌入式的，短信和支付走沙箱，只在本机可以打开。给单位正式使用，要设置
          HENGXI_ENV=production。 这时必须另外给出 PostgreSQL
          的地址、对外网址、两个密钥和短信通道；缺哪一项，启动时会写明。代码里的 README 列出了全部设置。
        </p>
      </Section>
      <Section id="enterprise" title="企业版怎么做">
        <ul className={styles['plain']}>
          <li>在线使用：创建企业，邀请成员，数据归企业所有。</li>
          <li>自己部署：同一套代码，企业版的成员、席位和操作日志都在里面。</li>
        </ul>
        <Actions>
          <ButtonLink to="/enterprise" strong>
            企业版
          </ButtonLink>
          <ButtonLink to="/business-cooperation/?topic=enterprise">联系我们</ButtonLink>
        </Actions>
      </Section>
      <Section id="asked" title="常见问题">
        <Asked items={ASKED} />
      </Section>
    </>
  );
}

export const client: SitePage = {
  path: '/client/',
  title: '客户端与自建部署',
  description:
    '把衡析装到电脑桌面的步骤，以及在自己的 Linux 服务器上部署衡析：需要什么、怎样启动、怎样备份，企业版怎样使用。',
  Body,
};
