/** 登录设备: where the account is signed in, and how to end it there. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';

import { errorText } from '../../../lib/api.ts';
import { formatInstant } from '../../../lib/format-size.ts';
import { useMe } from '../../../lib/me.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { ListSkeleton } from '../../../ui/skeleton.tsx';
import sections from '../sections.module.css';
import styles from './account.module.css';
import { devicesQuery, endDevice, endOtherDevices } from './queries.ts';

export function DevicesSection() {
  const me = useMe();
  const devices = useQuery(devicesQuery);
  const reload = () => queryClient.invalidateQueries({ queryKey: devicesQuery.queryKey });
  const end = useMutation({
    mutationFn: endDevice,
    onSuccess: async () => {
      await reload();
      toast.done('会话已结束');
    },
  });
  const endOthers = useMutation({
    mutationFn: endOtherDevices,
    onSuccess: async ({ ended }) => {
      await reload();
      toast.done(`已结束 ${ended} 个会话`);
    },
  });
  const others = devices.data?.list.filter((device) => !device.current) ?? [];
  return (
    <section className={sections['section']} aria-labelledby="member-devices">
      <h2 id="member-devices">登录设备</h2>
      <p className={styles['hint']}>
        同一版本同时只在一处登录，在别处登录后原来的会话会失效。看到不认识的设备，结束它的会话，并检查手机号是否仍是你的。
      </p>
      {devices.isPending ? <ListSkeleton rows={2} /> : null}
      {devices.isLoadingError ? <p role="alert">{errorText(devices.error)}</p> : null}
      <ul className={sections['rows']}>
        {devices.data?.list.map((device) => (
          <li key={device.id}>
            <span>
              <b>{device.device}</b>
              {device.platform.startsWith('co-') ? <span className={styles['mark']}>企业版</span> : null}
              {device.current ? <span className={styles['current']}>本机</span> : null}
            </span>
            <span className={styles['where']}>
              {device.net}　登录于 {formatInstant(device.signed_in_at)}　最近使用 {formatInstant(device.seen_at)}
            </span>
            {device.current ? null : (
              <Button
                danger
                size="small"
                loading={end.isPending && end.variables === device.id}
                onClick={() => end.mutate(device.id)}
              >
                结束会话
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 && !me?.demo ? (
        <Button className={styles['all'] ?? ''} loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
          结束其他全部会话
        </Button>
      ) : null}
    </section>
  );
}
