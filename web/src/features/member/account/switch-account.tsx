/** 切换账号: the other channels of the person. Nothing changes until 确定; 取消 leaves the present token in place. */
import type { Identity } from '@hengxi/server/me/schema';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { destinationOf } from '../../../lib/access.ts';
import { becomeChannel, channels } from '../../../lib/channels.ts';
import { useMe } from '../../../lib/me.ts';
import { currentToken, switchSession } from '../../../lib/session.ts';
import { versionOf } from '../../../lib/sign-in.ts';
import { toast } from '../../../lib/toast.ts';
import { AccountChoice, accountsOf } from '../../../ui/account-choice.tsx';

export function SwitchAccount() {
  const me = useMe();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const [offered, setOffered] = useState<{ identity: Identity; former: string | null } | null>(null);
  const ask = async () => {
    setAsking(true);
    try {
      const identity = await channels();
      if (identity.pri.token === null && identity.tokens.length === 0) toast.note('没有可以切换的其他账号');
      else setOffered({ identity, former: currentToken() });
    } catch {
      // The reason has been shown.
    }
    setAsking(false);
  };
  const choose = (token: string | null) => {
    setOffered(null);
    if (token === null) return;
    becomeChannel(token);
    void navigate(destinationOf(versionOf(token)));
  };
  /** The former token comes back, should anything have replaced it while the choice was open. */
  const cancel = () => {
    const former = offered?.former ?? null;
    setOffered(null);
    if (former !== null && currentToken() !== former) switchSession(former);
  };
  if (!me || me.demo) return null;
  return (
    <>
      <Button size="small" loading={asking} onClick={() => void ask()}>
        切换账号
      </Button>
      {offered ? (
        <AccountChoice
          title="切换账号"
          lead="选择要使用的版本。两个版本的数据互不相通，切换不影响另一边。"
          accounts={accountsOfIdentity(offered.identity)}
          current={offered.identity.current}
          onChoose={(account) => choose(account.token)}
          onCancel={cancel}
        />
      ) : null}
    </>
  );
}

/** All channels, the present one among them. */
function accountsOfIdentity({ pri, co, current, tokens }: Identity) {
  const others = tokens.map((one) => ({ ...one, token: one.token as string | null }));
  const isMissing = co !== null && current === `co-${co.enterprise_id}`;
  const companies = isMissing && co ? [{ ...co, platform: current }, ...others] : others;
  return accountsOf({ personal: { name: pri.nickname, token: pri.token }, companies });
}
