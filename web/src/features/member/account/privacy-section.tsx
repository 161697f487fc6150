/** 隐私与数据: consent, everything taken away as one archive, leaving. */
import { integer } from '@hengxi/contracts/format';
import type { AccountExport } from '@hengxi/server/privacy/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input, Switch } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { formatInstant, formatBytes } from '../../../lib/format-size.ts';
import { reloadMe, useMe } from '../../../lib/me.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { endSession } from '../../../lib/session.ts';
import { toast } from '../../../lib/toast.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import sections from '../sections.module.css';
import styles from './account.module.css';
import { beginExport, downloadExport, exportQuery, leave, saveConfig } from './queries.ts';

export function PrivacySection() {
  const me = useMe();
  const consent = useMutation({
    mutationFn: saveConfig,
    onSuccess: async () => {
      await reloadMe();
      toast.done('修改成功');
    },
  });
  const agreed = consent.isPending ? consent.variables.analytics === 1 : me?.config.analytics === 1;
  return (
    <>
      <section className={sections['section']} aria-labelledby="member-privacy">
        <h2 id="member-privacy">使用统计</h2>
        <div className={styles['switch']}>
          <Switch
            aria-labelledby="member-privacy"
            checked={agreed}
            disabled={!me}
            onChange={(on) => consent.mutate({ analytics: on ? 1 : 0 })}
          />
          <p>允许记录我打开了哪些页面，用来改进产品。只存在本站，不含数据内容，不交给第三方，半年后删除。默认关闭。</p>
        </div>
      </section>
      {me?.demo ? null : me?.identity === 2 ? (
        <p className={styles['hint']}>下载全部数据和注销账号请切换到个人版后操作。</p>
      ) : (
        <>
          <Archive />
          <Leaving />
        </>
      )}
    </>
  );
}

function Archive() {
  const last = useQuery(exportQuery);
  const begin = useMutation({
    mutationFn: beginExport,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: exportQuery.queryKey }),
  });
  const download = useMutation({ mutationFn: downloadExport });
  const archive = last.data ?? null;
  const isWorking = archive?.state === 'working';
  return (
    <section className={sections['section']} aria-labelledby="member-export">
      <h2 id="member-export">下载全部数据</h2>
      <p className={styles['hint']}>
        账号资料、上传的原始文件、每个版本的步骤、全部报告，打成一个 zip。做好后保留 24 小时。
      </p>
      <p role="status" className={styles['hint']}>
        {archive ? stateOf(archive) : ''}
      </p>
      <div className={sections['acts']}>
        {archive?.state === 'done' ? (
          <Button type="primary" loading={download.isPending} onClick={() => download.mutate(archive.id)}>
            下载 zip
          </Button>
        ) : null}
        <Button loading={begin.isPending || isWorking} onClick={() => begin.mutate()}>
          {archive === null || isWorking ? '打包全部数据' : '重新打包'}
        </Button>
      </div>
    </section>
  );
}

function stateOf(archive: AccountExport): string {
  if (archive.state === 'working') return `正在打包，已完成 ${archive.done} 项`;
  if (archive.state === 'failed') return '上次打包没有完成，请再试一次';
  const until = archive.ends_at === null ? '' : `，${formatInstant(archive.ends_at)} 前可以下载`;
  return `已打包 ${archive.done} 项，${formatBytes(archive.size ?? 0)}${until}`;
}

const WORD = '注销';

function Leaving() {
  const me = useMe();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const end = useMutation({
    mutationFn: leave,
    onSuccess: async (left) => {
      if (left === null) return;
      setOpen(false);
      endSession();
      queryClient.clear();
      await navigate('/');
      toast.done(`账号已注销，${formatInstant(left.until)} 前登录可以恢复`, { ms: 6000 });
    },
  });
  const close = () => {
    setOpen(false);
    setTyped('');
  };
  return (
    <section className={sections['section']} aria-labelledby="member-leave">
      <h2 id="member-leave">注销账号</h2>
      <p className={styles['hint']}>
        注销后立即退出所有设备并结束全部分享。7 天内登录可以恢复，之后数据、报告和个人信息被删除，不能找回。
      </p>
      <div className={sections['acts']}>
        <Button
          danger
          onClick={() => {
            setOpen(true);
            // What would be lost is told as it is now.
            void reloadMe();
          }}
        >
          注销账号
        </Button>
      </div>
      <Dialog
        open={open}
        title="注销账号"
        width="form"
        onClose={close}
        footer={
          <>
            <Button onClick={close}>取消</Button>
            <Button
              danger
              type="primary"
              disabled={typed.trim() !== WORD}
              loading={end.isPending}
              onClick={() => end.mutate()}
            >
              注销
            </Button>
          </>
        }
      >
        {me && me.total_amount > 0 ? (
          <p>
            您还有 <strong>{integer(me.total_amount)} 积分</strong>，注销后全部失效，不能找回。
          </p>
        ) : null}
        <p>会员、AI 点数和积分随账号一起失效，不退款。订单和发票依法留存，但不再含有你的个人信息。</p>
        <label className={styles['confirm']}>
          输入“{WORD}”以确认
          <Input value={typed} onChange={(event) => setTyped(event.target.value)} />
        </label>
      </Dialog>
    </section>
  );
}
