/** /s/{shareid}: a shared report, without an account, phone first. Unknown, ended and expired links look the same. */
import { PrinterOutlined, ShareAltOutlined, UnorderedListOutlined, VerticalAlignTopOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Drawer } from 'antd';
import { useState } from 'react';
import { useParams } from 'react-router';

import { ApiError, errorText } from '../../lib/api.ts';
import { usePageTitle } from '../../lib/title.ts';
import { copyForms } from '../../report/clipboard.ts';
import { OutlineNav } from '../../report/outline-nav.tsx';
import { ReportView } from '../../report/report-view.tsx';
import { SharedSheet } from '../../report/shared-sheet.tsx';
import { usePrintLight } from '../../report/use-printing.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type OpenShare, sharedQuery } from './queries.ts';
import styles from './share-page.module.css';

export function SharePage() {
  const code = useParams()['shareid'] ?? '';
  const shared = useQuery(sharedQuery(code));
  usePageTitle(shared.data?.title ?? null);
  usePrintLight();
  if (shared.isLoadingError) return <Closed error={shared.error} onRetry={() => void shared.refetch()} />;
  return (
    <main className={styles['page']}>
      {shared.data === undefined ? (
        <div className={styles['waiting']}>
          <ReportView report={null} />
        </div>
      ) : (
        <div className={styles['sheet']}>
          <SharedSheet
            shared={shared.data}
            tools={<Tools title={shared.data.title} />}
            aside={<Aside shared={shared.data} />}
          />
          <BottomBar shared={shared.data} />
        </div>
      )}
    </main>
  );
}

function Closed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const gone = error instanceof ApiError && (error.status === 404 || error.code === 30004);
  return (
    <main className={styles['closed']}>
      <EmptyState
        art
        title={gone ? '分享不存在或已结束' : '报告没有打开'}
        hint={gone ? '链接可能输错了，也可能已到期或被停止。请向分享的人要新的链接。' : errorText(error)}
        actions={
          gone ? (
            <Button href="/">去衡析首页</Button>
          ) : (
            <Button type="primary" onClick={onRetry}>
              重试
            </Button>
          )
        }
      />
    </main>
  );
}

/** On a wide screen the outline stands beside the sheet, as in the workspace. */
function Aside({ shared }: { shared: OpenShare }) {
  return (
    <div className={styles['aside']}>
      <OutlineNav report={shared.document} />
    </div>
  );
}

function Tools({ title }: { title: string }) {
  return (
    <div className={styles['tools']}>
      <Button type="text" icon={<PrinterOutlined aria-hidden />} onClick={() => print()}>
        打印
      </Button>
      <Button icon={<ShareAltOutlined aria-hidden />} onClick={() => void passOn(title)}>
        转发
      </Button>
    </div>
  );
}

function BottomBar({ shared }: { shared: OpenShare }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <nav className={styles['bottom']} aria-label="报告工具">
        <button type="button" onClick={() => setOpen(true)}>
          <UnorderedListOutlined aria-hidden />
          目录
        </button>
        <button type="button" onClick={() => scrollTo({ top: 0 })}>
          <VerticalAlignTopOutlined aria-hidden />
          回到顶部
        </button>
        <button type="button" onClick={() => void passOn(shared.title)}>
          <ShareAltOutlined aria-hidden />
          转发
        </button>
      </nav>
      <Drawer title="目录" placement="bottom" size="auto" open={open} onClose={() => setOpen(false)}>
        <OutlineNav report={shared.document} onGo={() => setOpen(false)} />
      </Drawer>
    </>
  );
}

/** The phone's own sheet where there is one; else the link is copied. */
async function passOn(title: string): Promise<void> {
  const url = location.href;
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share({ title, url });
      return;
    } catch (error) {
      // Closing the sheet is no failure; anything else falls back to copying.
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  }
  await copyForms({ text: url }, '链接已复制');
}
