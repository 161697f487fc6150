/** The top bar of the workspace: where one is, what can be found, help, and the account. */
import { DownOutlined, MenuOutlined, SearchOutlined } from '@ant-design/icons';
import { Button, Drawer, type MenuProps } from 'antd';
import { useState } from 'react';
import { Link, NavLink, useLocation, useNavigate } from 'react-router';

import { useMe } from '../../lib/me.ts';
import { prompts } from '../../lib/prompts.ts';
import { DropMenu } from '../../ui/drop-menu.tsx';
import { Logo } from '../../ui/logo.tsx';
import { AvatarMenu } from './avatar-menu.tsx';
import { Bell } from './bell.tsx';
import { DrawingTip } from './drawing-tip.tsx';
import { EditionButton } from './edition-button.tsx';
import styles from './header.module.css';
import { HeaderBanner, HeaderBroadcasts } from './promotions.tsx';

/** Only areas that exist: a menu entry without a page behind it is a broken promise. */
const AREAS: readonly { path: string; title: string }[] = [
  { path: '/mydata', title: '我的数据' },
  { path: '/dataprocessing', title: '数据处理' },
  { path: '/analysis', title: '数据分析' },
  { path: '/pro-analysis', title: '专家问卷' },
];
/** Its menu entry carries a tip until it is closed. */
const DRAWING = '/prodraw';
/** Pages with a table, a form or a report on them, not the lists that lead there. */
const WORK_SCREEN = /^\/(?:mydata\/detail|dataprocessing\/dispose|analysis\/(?:operation|result))\//;

export function Header() {
  const me = useMe();
  return (
    <header className={styles['bar']}>
      <Link to={me?.identity === 2 ? '/pro-model/index' : '/mydata/index'} className={styles['brand']}>
        <Logo size={26} />
        <span>衡析</span>
      </Link>
      <nav aria-label="主菜单" className={styles['areas']}>
        {AREAS.map((area) => (
          <span key={area.path} className={styles['slot']}>
            <NavLink
              to={`${area.path}/index`}
              end={false}
              className={({ isActive }) =>
                isActive || isInside(area.path) ? `${styles['area']} ${styles['on']}` : styles['area']
              }
            >
              {area.title}
            </NavLink>
            {area.path === DRAWING ? <DrawingTip /> : null}
          </span>
        ))}
      </nav>
      <div className={styles['right']}>
        <DemoMark />
        <Promotions />
        <button type="button" className={styles['search']} onClick={prompts.openPalette} aria-keyshortcuts="Control+K">
          <SearchOutlined aria-hidden />
          <span className={styles['searchText']}>搜索方法、数据、报告</span>
          <kbd>Ctrl K</kbd>
        </button>
        <EditionButton />
        <HelpMenu />
        <AvatarMenu />
        <PhoneMenu />
      </div>
    </header>
  );
}

/** /mydata/detail belongs to 我的数据 although it is not below /mydata/index. */
function isInside(area: string): boolean {
  return location.pathname.startsWith(`${area}/`);
}

/** Where work is done the room belongs to the work: everything that is announced stands behind one bell. */
function Promotions() {
  const { pathname } = useLocation();
  const me = useMe();
  if (WORK_SCREEN.test(pathname)) return <Bell />;
  return (
    <>
      <HeaderBroadcasts />
      {/* Enterprise members are not advertised to. */}
      {me && me.identity !== 2 ? <HeaderBanner /> : null}
    </>
  );
}

/** The demo account is shared by everybody who tries the product, and says so. */
function DemoMark() {
  const me = useMe();
  return me?.demo ? <span className={styles['demo']}>沙箱 · 演示账号</span> : null;
}

function HelpMenu() {
  const navigate = useNavigate();
  const items: MenuProps['items'] = [
    { key: 'help', label: '帮助中心', onClick: () => void navigate('/help/') },
    { key: 'chat', label: '在线客服', onClick: prompts.openChat },
    { key: 'keys', label: '键盘快捷键', extra: '?', onClick: prompts.openShortcuts },
  ];
  return (
    <DropMenu menu={{ items }} placement="bottomRight">
      <Button type="text" className={styles['help']}>
        帮助 <DownOutlined aria-hidden className={styles['caret']} />
      </Button>
    </DropMenu>
  );
}

/** Below 768 px the areas move into a sheet. */
function PhoneMenu() {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        type="text"
        className={styles['phone']}
        icon={<MenuOutlined aria-hidden />}
        aria-label="菜单"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      />
      <Drawer open={open} onClose={close} placement="right" size={280} title="菜单">
        <nav aria-label="主菜单" className={styles['sheet']}>
          {AREAS.map((area) => (
            <Link key={area.path} to={`${area.path}/index`} onClick={close}>
              {area.title}
            </Link>
          ))}
          <Link to="/help/" onClick={close}>
            帮助中心
          </Link>
          <button
            type="button"
            onClick={() => {
              close();
              prompts.openChat();
            }}
          >
            在线客服
          </button>
        </nav>
      </Drawer>
    </>
  );
}
