/** Frame of the pages everybody may read: a quiet header, the page, and a footer with what exists. */
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link, Outlet, useNavigate, useSearchParams } from 'react-router';

import { chunk } from '../../lib/chunk.ts';
import { prompts } from '../../lib/prompts.ts';
import { useSession } from '../../lib/session.ts';
import { siteQuery } from '../../lib/site.ts';
import { ChunkBoundary } from '../../ui/chunk-boundary.tsx';
import { Logo } from '../../ui/logo.tsx';
import styles from './public-frame.module.css';

const FeedbackDialog = lazy(() =>
  chunk(async () => ({ default: (await import('./feedback/feedback-dialog.tsx')).FeedbackDialog })),
);

export function PublicFrame() {
  useLoginFromAddress();
  return (
    <div className={styles['frame']}>
      <a className={styles['skip']} href="#main">
        跳到正文
      </a>
      <PublicHeader />
      <main id="main" tabIndex={-1} className={styles['main']}>
        <Outlet />
      </main>
      <Footer />
    </div>
  );
}

/** `?login=1` is how a guarded page asks for the dialog; it works without any page knowing the dialog. */
function useLoginFromAddress(): void {
  const [params] = useSearchParams();
  const wanted = params.get('login') === '1';
  const signedIn = useSession((state) => state.token !== null);
  useEffect(() => {
    if (wanted && !signedIn) prompts.openLogin();
  }, [wanted, signedIn]);
}

function PublicHeader() {
  const signedIn = useSession((state) => state.token !== null);
  const navigate = useNavigate();
  return (
    <header className={styles['bar']}>
      <div className={styles['inner']}>
        <Link to="/" className={styles['brand']}>
          <Logo size={30} />
          <span>衡析</span>
        </Link>
        <nav aria-label="网站" className={styles['nav']}>
          <Link to="/help/">帮助中心</Link>
        </nav>
        {signedIn ? (
          <Button type="primary" onClick={() => void navigate('/index')}>
            继续使用
          </Button>
        ) : (
          <Button color="primary" variant="outlined" onClick={() => prompts.openLogin()}>
            登录 / 注册
          </Button>
        )}
      </div>
    </header>
  );
}

function Footer() {
  const [telling, setTelling] = useState(false);
  return (
    <footer className={styles['footer']}>
      <div className={styles['inner']}>
        <nav aria-label="页脚" className={styles['links']}>
          <Link to="/help/">帮助中心</Link>
          <Link to="/terms">用户协议</Link>
          <Link to="/privacy">隐私协议</Link>
          <Link to="/agreement">付费服务协议</Link>
          <button type="button" className="hx-link" onClick={() => setTelling(true)}>
            意见反馈
          </button>
        </nav>
        <Operator />
      </div>
      {telling ? (
        <ChunkBoundary>
          <Suspense fallback={null}>
            <FeedbackDialog onClose={() => setTelling(false)} />
          </Suspense>
        </ChunkBoundary>
      ) : null}
    </footer>
  );
}

/** Who runs this installation and under which filings, as far as it has been set; the registries ask for the links. */
function Operator() {
  const company = useQuery(siteQuery).data?.company;
  if (!company) return null;
  const { name, address, hotline, mail, icp, police } = company;
  const words = [name, address, hotline && `电话 ${hotline}`].filter((word) => word !== null && word !== '');
  const isSet = words.length > 0 || mail !== null || icp !== null || police !== null;
  if (!isSet) return <span className={styles['company']}>运营方与备案信息：未设置</span>;
  return (
    <span className={styles['company']}>
      {words.map((word) => (
        <span key={word}>{word}</span>
      ))}
      {mail ? <a href={`mailto:${mail}`}>{mail}</a> : null}
      {icp ? (
        <a href="https://beian.miit.gov.cn/" target="_blank" rel="noreferrer">
          {icp}
        </a>
      ) : null}
      {police ? (
        <a href="https://beian.mps.gov.cn/" target="_blank" rel="noreferrer">
          {police}
        </a>
      ) : null}
    </span>
  );
}
