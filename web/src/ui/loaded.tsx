/** A query's answer, or what stands in its place: its shape while it is on the way, the reason and 重试 where it failed. */
import { Button } from 'antd';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { errorText } from '../lib/api.ts';
import styles from './loaded.module.css';
import { ListSkeleton } from './skeleton.tsx';

interface LoadedProps<T> {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
  /** Of the skeleton. */
  rows?: number;
}

export function Loaded<T>({ query, children, rows = 4 }: LoadedProps<T>) {
  if (query.isPending) return <ListSkeleton rows={rows} />;
  if (query.isLoadingError)
    return (
      <div role="alert" className={styles['failed']}>
        <p>{errorText(query.error)}</p>
        <Button onClick={() => void query.refetch()}>重试</Button>
      </div>
    );
  return <>{children(query.data)}</>;
}
