/** 微信登录: the code that signs in whoever scans it. */
import type { SignIn } from '@hengxi/server/accounts/schema';
import type { Poll } from '@hengxi/server/signin/schema';

import { ScanCode } from '../../ui/scan-code.tsx';
import { pollWechat, wechatTicket } from './queries.ts';

export function WechatPanel({ sandbox, onSignedIn }: { sandbox: boolean; onSignedIn: (answer: SignIn) => void }) {
  return (
    <ScanCode
      load={wechatTicket}
      poll={pollWechat}
      onDone={(answer) => onSignedIn(signInOf(answer))}
      title="微信登录二维码"
      scanned="已扫码，请在手机上确认登录"
      note="首次登录会自动建立账号"
      sandbox={sandbox}
    />
  );
}

const signInOf = (answer: Poll): SignIn => ({
  token: answer.token ?? null,
  co_token: answer.co_token ?? null,
  tokens: answer.tokens ?? [],
  lucky: answer.lucky ?? 0,
  warning: answer.warning ?? false,
});
