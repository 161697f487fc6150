/** Said on phones once a visit: work is done at a computer. Also stands, with the same words, on pages written at the build. */
import { useState } from 'react';

import styles from './phone-notice.module.css';

const CLOSED = 'hx_phone_notice';

function wasClosed(): boolean {
  try {
    return sessionStorage.getItem(CLOSED) !== null;
  } catch {
    return false;
  }
}

export function PhoneNotice() {
  const [open, setOpen] = useState(() => !wasClosed());
  const [copied, setCopied] = useState<string | null>(null);
  if (!open) return null;
  const copy = () => {
    navigator.clipboard.writeText(location.href).then(
      () => setCopied('已复制'),
      () => setCopied('请复制地址栏'),
    );
  };
  const close = () => {
    setOpen(false);
    try {
      sessionStorage.setItem(CLOSED, '1');
    } catch {
      // Then it comes back with the next page.
    }
  };
  return (
    <div className={styles['notice']}>
      <p>数据分析请在电脑浏览器上进行，手机可阅读、评论和分享。</p>
      <button type="button" onClick={copy}>
        {copied ?? '复制链接'}
      </button>
      <button type="button" aria-label="关闭提示" onClick={close}>
        ×
      </button>
    </div>
  );
}
