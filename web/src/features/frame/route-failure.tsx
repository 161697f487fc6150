/** A page that could not be shown: not found, code that would not load (a new release, a lost network), or our mistake. */
import { Button } from 'antd';
import { isRouteErrorResponse, useRouteError } from 'react-router';

import { isChunkError } from '../../lib/chunk.ts';
import { NotFound } from '../../ui/not-found.tsx';
import styles from './route-failure.module.css';

export function RouteFailure() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />;
  const chunk = isChunkError(error);
  return (
    <main className={styles['page']}>
      <h1>{chunk ? '页面没有加载完' : '页面出错了'}</h1>
      <p>
        {chunk
          ? '可能是网络中断，或刚发布了新版本。重新加载即可继续，已保存的内容不受影响。'
          : '这个页面遇到了意外情况。重新加载后仍然如此，请把下面这行告诉我们。'}
      </p>
      {chunk ? null : (
        <code className={styles['detail']}>{error instanceof Error ? error.message : String(error)}</code>
      )}
      <div className={styles['actions']}>
        <Button type="primary" onClick={() => location.reload()}>
          重新加载
        </Button>
        <Button href="/">回到首页</Button>
      </div>
    </main>
  );
}
