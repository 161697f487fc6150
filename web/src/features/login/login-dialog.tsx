/** The sign-in dialog, 800 px: decoration on the left, the form on the right (mock f). Only ways in that work are shown. */
import type { SignIn } from '@hengxi/server/accounts/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Modal } from 'antd';
import { useState } from 'react';

import { prompts } from '../../lib/prompts.ts';
import { receive, wayBack } from '../../lib/sign-in.ts';
import { siteQuery } from '../../lib/site.ts';
import { DIALOG_WIDTH } from '../../ui/dialog.tsx';
import { Decoration } from './decoration.tsx';
import styles from './login-dialog.module.css';
import { OtherWays, type Way } from './other-ways.tsx';
import { PhoneForm } from './phone-form.tsx';
import { signInDemo } from './queries.ts';
import { WechatPanel } from './wechat-panel.tsx';

const TITLE: Record<Way, string> = { wechat: '微信登录', phone: '手机号登录' };

export function LoginDialog() {
  const site = useQuery(siteQuery).data;
  const [chosen, setChosen] = useState<Way | null>(null);
  // WeChat first, where there is WeChat; until that is known neither is drawn, so that nothing jumps.
  const way = chosen ?? (site?.wechat ? 'wechat' : 'phone');
  return (
    <Modal
      open
      width={DIALOG_WIDTH.wide}
      footer={null}
      title={<span className="hx-hidden">{TITLE[way]}</span>}
      centered
      destroyOnHidden
      mask={{ blur: false }}
      closable={{ 'aria-label': '关闭' }}
      onCancel={() => prompts.closeLogin()}
      styles={{ container: { padding: 0, overflow: 'hidden' }, header: { margin: 0 } }}
    >
      <div className={styles['panels']}>
        <Decoration />
        <div className={styles['form']}>
          <p className={styles['title']} aria-hidden="true">
            {TITLE[way]}
          </p>
          {site === undefined ? null : way === 'wechat' ? (
            <WechatPanel sandbox={site.sandbox} onSignedIn={receive} />
          ) : (
            <>
              <p className={styles['lead']}>首次登录会自动建立账号</p>
              <PhoneForm sandbox={site.sandbox} captchaApp={site.captcha_app} onSignedIn={receive} />
            </>
          )}
          {site ? <OtherWays site={site} way={way} next={wayBack()} onSwitch={setChosen} /> : null}
          {site?.demo ? <DemoEntry onSignedIn={receive} /> : null}
          <p className={styles['agree']}>
            登录即表示同意
            <a href="/terms" target="_blank" rel="noreferrer">
              《用户协议》
            </a>
            和
            <a href="/privacy" target="_blank" rel="noreferrer">
              《隐私协议》
            </a>
          </p>
        </div>
      </div>
    </Modal>
  );
}

/** A finished example to look around in; exists in the sandbox only and says so. */
function DemoEntry({ onSignedIn }: { onSignedIn: (answer: SignIn) => void }) {
  const [working, setWorking] = useState(false);
  const enter = async () => {
    setWorking(true);
    try {
      onSignedIn(await signInDemo());
    } catch {
      setWorking(false);
    }
  };
  return (
    <div className={styles['demo']}>
      <Button block loading={working} onClick={() => void enter()}>
        进入演示账号
        <span className={styles['mark']}>沙箱</span>
      </Button>
    </div>
  );
}
