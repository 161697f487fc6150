/** The dialogs around a sign-in: warning, choice of the account, coming back, a token from an address, step-up, bind. */
import type { ChannelToken, Leaving, SignIn } from '@hengxi/server/accounts/schema';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { formatInstant } from '../../lib/format-size.ts';
import { navigateTo } from '../../lib/navigate.ts';
import { ownerOf } from '../../lib/session.ts';
import { accept, hasChoice, receive, useSignIn } from '../../lib/sign-in.ts';
import { STORAGE, writeStored } from '../../lib/storage.ts';
import { AccountChoice, accountsOf } from '../../ui/account-choice.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { BindForm } from './bind-form.tsx';
import { CaptchaDialog } from './captcha-dialog.tsx';
import { nicknameOf, restore } from './queries.ts';
import { StepUpDialog } from './step-up-dialog.tsx';

const DEVICES = '/member?tab=devices';

export function SignInFlow() {
  const { arrived, leaving, claimed, bind } = useSignIn();
  return (
    <>
      {arrived ? <Arrived answer={arrived} /> : null}
      {leaving ? <ComeBack leaving={leaving} /> : null}
      {claimed ? <Claimed token={claimed} /> : null}
      {bind ? <BindDialog /> : null}
      <StepUpDialog />
      <CaptchaDialog />
    </>
  );
}

/** First the warning, then the choice, then the way on. */
function Arrived({ answer }: { answer: SignIn }) {
  const [read, setRead] = useState(!answer.warning);
  const [next, setNext] = useState<string | undefined>();
  /** The devices are shown once the sign-in is complete: whoever has several accounts chooses first. */
  const toDevices = () => {
    if (!hasChoice(answer)) return accept(answer, answer.token ?? answer.co_token, DEVICES);
    setNext(DEVICES);
    return setRead(true);
  };
  if (!read)
    return (
      <ConfirmDialog
        open
        title="登录异常提醒"
        text={
          <>
            检测到账号近期有异常登录。若不是你本人操作，请
            <button type="button" className="hx-link" onClick={toDevices}>
              检查登录设备
            </button>
            ；多次异常登录会导致账号被封禁。
          </>
        }
        act="知道了"
        cancel={null}
        onAct={() => (hasChoice(answer) ? setRead(true) : accept(answer, answer.token ?? answer.co_token))}
        onClose={() => (hasChoice(answer) ? setRead(true) : accept(answer, answer.token ?? answer.co_token))}
      />
    );
  return (
    <AccountChoice
      title="选择账号"
      lead="你的登录方式关联了多个账号，请选择要进入的版本。"
      accounts={accountsOf({
        personal: { name: nicknameIn(answer.token), token: answer.token },
        companies: companiesOf(answer),
      })}
      onChoose={(account) => accept(answer, account.token, next)}
      onCancel={() => accept(answer, null)}
    />
  );
}

/** With one enterprise only `co_token` comes; its name stands in the token. */
function companiesOf(answer: SignIn): ChannelToken[] {
  if (answer.tokens.length > 0 || answer.co_token === null) return answer.tokens;
  const platform = ownerOf(answer.co_token)?.split('/')[1] ?? 'co';
  const name = textIn(answer.co_token, 'enterprise_name') ?? '企业版';
  return [{ platform, enterprise_id: 0, enterprise_name: name, token: answer.co_token }];
}

const nicknameIn = (token: string | null): string => (token && textIn(token, 'nickname')) || '个人版';

/** A word from a token's payload, for display only. */
function textIn(token: string, key: string): string | null {
  try {
    const part = token.split('.')[1] ?? '';
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    const payload: Record<string, unknown> = JSON.parse(new TextDecoder().decode(bytes));
    const value = payload[key];
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

function ComeBack({ leaving }: { leaving: Leaving }) {
  const [working, setWorking] = useState(false);
  const close = () => useSignIn.setState({ leaving: null });
  const back = async () => {
    setWorking(true);
    try {
      const answer = await restore(leaving.ticket);
      close();
      receive(answer);
    } catch {
      close();
    }
  };
  return (
    <ConfirmDialog
      open
      title="恢复账号"
      text={`账号“${leaving.nickname}”已申请注销，${formatInstant(leaving.until)} 前可以恢复，之后数据会被删除。恢复后一切照旧。`}
      act="恢复账号"
      cancel="不恢复"
      working={working}
      onAct={() => void back()}
      onClose={close}
    />
  );
}

/** Anybody can make a link with a token in it; whose it is must be said before it counts. */
function Claimed({ token }: { token: string }) {
  const { data, isPending } = useQuery({ queryKey: ['claimed', token.slice(-16)], queryFn: () => nicknameOf(token) });
  const close = () => {
    useSignIn.setState({ claimed: null });
    if (location.pathname === '/oauth/login') navigateTo('/');
  };
  if (isPending) return null;
  if (data === null || data === undefined)
    return (
      <ConfirmDialog
        open
        title="登录链接已失效"
        text="链接中的登录信息已失效，请重新登录。"
        act="知道了"
        cancel={null}
        onAct={close}
        onClose={close}
      />
    );
  return (
    <ConfirmDialog
      open
      title="确认登录"
      text={`即将以“${data}”的身份登录，是否继续？`}
      act="继续"
      onAct={() => accept({ lucky: 0 }, token)}
      onClose={close}
    />
  );
}

/** 绑定手机号, 420 px; a click outside does not throw away what was typed. */
function BindDialog() {
  const close = () => {
    writeStored(STORAGE.systemDialog, '1');
    useSignIn.setState({ bind: false });
  };
  return (
    <Dialog open title="绑定手机号" width="form" outsideCloses={false} onClose={close}>
      <BindForm onBound={close} />
    </Dialog>
  );
}
