/** 通知 on screens where work is done: what other pages show beside one another in the header stands behind one bell. */
import { BellOutlined } from '@ant-design/icons';
import { Badge, Button, Popover } from 'antd';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useMe } from '../../lib/me.ts';
import { readStored, STORAGE, writeStored } from '../../lib/storage.ts';
import styles from './bell.module.css';
import { BannerView, bannerQuery, broadcastsQuery } from './promotions.tsx';

/** Enterprise members are not advertised to. */
export function Bell() {
  const me = useMe();
  const banner = useQuery({ ...bannerQuery, enabled: me !== null && me.identity !== 2 }).data ?? null;
  const broadcasts = useQuery(broadcastsQuery).data ?? [];
  const [open, setOpen] = useState(false);
  const [read, setRead] = useState(() => readStored(STORAGE.noticesRead));
  const current = JSON.stringify([banner?.url, banner?.text, ...broadcasts]);
  const count = broadcasts.length + (banner === null ? 0 : 1);
  if (count === 0) return null;
  const isUnread = read !== current;
  const change = (next: boolean) => {
    setOpen(next);
    if (!next || !isUnread) return;
    writeStored(STORAGE.noticesRead, current);
    setRead(current);
  };
  return (
    <Popover
      open={open}
      onOpenChange={change}
      trigger="click"
      placement="bottomRight"
      destroyOnHidden
      content={
        <ul className={styles['list']} aria-label="通知">
          {broadcasts.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {banner === null ? null : (
            <li>
              <BannerView banner={banner} />
            </li>
          )}
        </ul>
      }
    >
      <Button
        type="text"
        aria-label={isUnread ? `通知，${count} 条，有未读` : `通知，${count} 条`}
        aria-expanded={open}
        icon={
          <Badge dot={isUnread}>
            <BellOutlined aria-hidden />
          </Badge>
        }
        onKeyDown={(event) => {
          if (event.key === 'Escape') setOpen(false);
        }}
      />
    </Popover>
  );
}
