/** 原始数据只读, and behind it 锁定数据: a file that shall stay as it is, e.g. the one a class works with. */
import { LockFilled, LockOutlined } from '@ant-design/icons';
import type { Version } from '@hengxi/server/files/schema';
import { useMutation } from '@tanstack/react-query';
import { Button, Popover, Switch } from 'antd';

import { queryClient } from '../../../lib/query-client.ts';
import { lockFile, refreshFiles } from '../queries.ts';
import styles from './detail-status.module.css';

export function LockButton({ version }: { version: Version }) {
  const lock = useMutation({
    mutationFn: (locked: boolean) => lockFile(version.fid, locked),
    onSuccess: async () => {
      // Of all its versions, not only of the one on screen.
      await Promise.all([queryClient.invalidateQueries({ queryKey: ['version'] }), refreshFiles()]);
    },
  });
  const content = (
    <div className={styles['lock']}>
      <label htmlFor="lock-data">
        <Switch
          id="lock-data"
          size="small"
          checked={version.locked}
          loading={lock.isPending}
          onChange={(on) => lock.mutate(on)}
        />
        锁定数据
      </label>
      <p>锁定后不能编辑、处理、撤销或删除，直到解除；查看、分析和导出不受影响。</p>
      <p>上传的文件始终不会被改写，每次修改都生成新版本。</p>
    </div>
  );
  return (
    <Popover trigger="click" placement="bottomRight" content={content}>
      <Button
        type="text"
        size="small"
        icon={version.locked ? <LockFilled aria-hidden /> : <LockOutlined aria-hidden />}
        className={version.locked ? styles['locked'] : undefined}
      >
        {version.locked ? '数据已锁定' : '原始数据只读'}
      </Button>
    </Popover>
  );
}
