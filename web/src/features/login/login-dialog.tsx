/** The sign-in dialog, 800 px: decoration on the left, the form on the right (mock f). Only ways in that work are shown. */
import type { SignIn } from '@hengxi/server/accounts/schema';
import { useQuery } from '@tanstack/react-query';
import { Button, Modal } from 'antd';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';

import { prompts } from '../../lib/prompts.ts';
import { queryClient } from '../../lib/query-client.ts';
import { startSession } from '../../lib/session.ts';
import { siteQuery } from '../../lib/site.ts';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog, DIALOG_WIDTH } from '../../ui/dialog.tsx';
import { Decoration } from './decoration.tsx';
import styles from './login-dialog.module.css';
import { PhoneForm } from './phone-form.tsx';
import { signInDemo } from './queries.ts';
import { safeNext } from './rules.ts';

export function LoginDialog() {
  const site = useQuery(siteQuery).data;
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const [warned, setWarned] = useState(false);

  const enter = () => {
    prompts.closeLogin();
    toast.done('登录成功');
    void navigate(safeNext(params.get('next')) ?? '/analysis/index');
  };
  const signedIn = (answer: SignIn) => {
    const token = answer.token ?? answer.co_token;
    if (!token) return;
    queryClient.clear();
    startSession(token, answer.lucky);
    if (answer.warning) setWarned(true);
    else enter();
  };

  return (
    <>
      <Modal
        open={!warned}
        width={DIALOG_WIDTH.wide}
        footer={null}
        title={<span className="hx-hidden">登录</span>}
        centered
        destroyOnHidden
        mask={{ blur: false }}
        closable={{ 'aria-label': '关闭' }}
        onCancel={prompts.closeLogin}
        styles={{ container: { padding: 0, overflow: 'hidden' }, header: { margin: 0 } }}
      >
        <div className={styles['panels']}>
          <Decoration />
          <div className={styles['form']}>
            <p className={styles['title']} aria-hidden="true">
              手机号登录
            </p>
            <p className={styles['lead']}>首次登录会自动建立账号</p>
            <PhoneForm sandbox={site?.sandbox ?? false} onSignedIn={signedIn} />
            {site?.demo ? <DemoEntry onSignedIn={signedIn} /> : null}
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
      <ConfirmDialog
        open={warned}
        title="登录异常提醒"
        text="检测到账号近期有异常登录。若不是你本人操作，请检查登录设备；多次异常登录会导致账号被封禁。"
        act="知道了"
        cancel={null}
        onAct={enter}
        onClose={enter}
      />
    </>
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
      <span className={styles['or']}>或者</span>
      <Button block loading={working} onClick={() => void enter()}>
        进入演示账号
        <span className={styles['mark']}>沙箱</span>
      </Button>
    </div>
  );
}
