/** Frame of the pages everybody may read: a quiet header, the page, and a footer with what exists. */
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { lazy, type MouseEvent, Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, useNavigate, useSearchParams } from 'react-router';

import { chunk } from '../../lib/chunk.ts';
import { prompts } from '../../lib/prompts.ts';
import { useSession } from '../../lib/session.ts';
import { siteQuery } from '../../lib/site.ts';
import { watchMenus } from '../../lib/site-menu.ts';
import { ChunkBoundary } from '../../ui/chunk-boundary.tsx';
import styles from './public-frame.module.css';
import { SiteFooter, SiteHeader } from './site-header.tsx';

const FeedbackDialog = lazy(() =>
  chunk(async () => ({ default: (await import('./feedback/feedback-dialog.tsx')).FeedbackDialog })),
);

export function PublicFrame() {
  useLoginFromAddress();
  const follow = useFollow();
  return (
    // Only what the links inside let through arrives here.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className={styles['frame']} onClick={follow}>
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

/** Links are plain, as on the pages written at the build; those to pages of the application do not leave it. */
function useFollow() {
  const navigate = useNavigate();
  return (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('header a, footer a') : null;
    const to = link?.getAttribute('href');
    if (!to?.startsWith('/')) return;
    event.preventDefault();
    void navigate(to);
  };
}

function PublicHeader() {
  const signedIn = useSession((state) => state.token !== null);
  const navigate = useNavigate();
  const header = useRef<HTMLElement>(null);
  useEffect(() => (header.current ? watchMenus(header.current) : undefined), []);
  return (
    <SiteHeader
      ref={header}
      action={
        signedIn ? (
          <Button type="primary" onClick={() => void navigate('/index')}>
            继续使用
          </Button>
        ) : (
          <Button color="primary" variant="outlined" onClick={() => prompts.openLogin()}>
            登录 / 注册
          </Button>
        )
      }
    />
  );
}

function Footer() {
  const [telling, setTelling] = useState(false);
  return (
    <>
      <SiteFooter
        operator={<Operator />}
        more={
          <button type="button" className="hx-link" onClick={() => setTelling(true)}>
            意见反馈
          </button>
        }
      />
      {telling ? (
        <ChunkBoundary>
          <Suspense fallback={null}>
            <FeedbackDialog onClose={() => setTelling(false)} />
          </Suspense>
        </ChunkBoundary>
      ) : null}
    </>
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
