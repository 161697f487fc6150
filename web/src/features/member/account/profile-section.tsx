/** 账号: picture, nickname, phone, ways to sign in, and the version one works in. */
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useRef, useState } from 'react';

import { reloadMe, useMe } from '../../../lib/me.ts';
import { askToBind } from '../../../lib/sign-in.ts';
import { toast } from '../../../lib/toast.ts';
import { RenameDialog } from '../../../ui/rename-dialog.tsx';
import sections from '../sections.module.css';
import styles from './account.module.css';
import { readPicture } from './picture.ts';
import { changeProfile } from './queries.ts';
import { SwitchAccount } from './switch-account.tsx';
import { Ways } from './ways.tsx';

const NICKNAME_MAX = 20;

export function ProfileSection() {
  const me = useMe();
  const [renaming, setRenaming] = useState(false);
  const change = useMutation({
    mutationFn: changeProfile,
    onSuccess: async () => {
      setRenaming(false);
      await reloadMe();
      toast.done('修改成功');
    },
  });
  return (
    <section className={sections['section']} aria-labelledby="member-account">
      <h2 id="member-account">账号</h2>
      <dl className={sections['facts']}>
        <dt>头像</dt>
        <dd>
          <Picture
            name={me?.nickname ?? ''}
            url={me?.avatar ?? null}
            working={change.isPending}
            onChange={(avatar) => change.mutate({ avatar })}
          />
        </dd>
        <dt>昵称</dt>
        <dd>
          {me?.nickname ?? '…'}
          <button type="button" className="hx-link" onClick={() => setRenaming(true)}>
            修改
          </button>
        </dd>
        <dt>手机号</dt>
        <dd>
          {me ? (me.phone ?? '未绑定') : '…'}
          {me && !me.demo ? (
            <button type="button" className="hx-link" onClick={askToBind}>
              {me.phone ? '更换' : '绑定'}
            </button>
          ) : null}
        </dd>
        <dt className={styles['top']}>登录方式</dt>
        <Ways />
        <dt>当前版本</dt>
        <dd>
          {me ? (me.identity === 2 ? (me.enterprise[0]?.name ?? '企业版') : '个人版') : '…'}
          <SwitchAccount />
        </dd>
      </dl>
      <RenameDialog
        open={renaming}
        title="修改昵称"
        value={me?.nickname ?? ''}
        max={NICKNAME_MAX}
        working={change.isPending}
        onSave={(nickname) => change.mutate({ nickname })}
        onClose={() => setRenaming(false)}
      />
    </section>
  );
}

interface PictureProps {
  name: string;
  url: string | null;
  working: boolean;
  onChange: (avatar: string | null) => void;
}

function Picture({ name, url, working, onChange }: PictureProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = async (file: File | undefined) => {
    if (!file) return;
    const picture = await readPicture(file);
    if (picture === null) toast.warn('图片无法读取，请换一张 png、jpeg 或 webp 图片');
    else onChange(picture);
  };
  return (
    <>
      {url ? (
        <img src={url} alt="当前头像" className={styles['avatar']} />
      ) : (
        <span className={styles['avatar']} aria-hidden="true">
          {Array.from(name)[0] ?? ''}
        </span>
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp"
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <Button size="small" loading={working} onClick={() => input.current?.click()}>
        换头像
      </Button>
      {url ? (
        <button type="button" className="hx-link" onClick={() => onChange(null)}>
          恢复默认
        </button>
      ) : null}
    </>
  );
}
