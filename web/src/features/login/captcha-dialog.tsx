/** 安全验证: the slider, or the provider's own window, before a visitor may send something. */
import type { CaptchaTicket } from '@hengxi/server/accounts/schema';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

import { useSignIn } from '../../lib/sign-in.ts';
import { siteQuery } from '../../lib/site.ts';
import { toast } from '../../lib/toast.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Slider } from './slider.tsx';
import { solveTencent } from '../../lib/tencent-captcha.ts';

export function CaptchaDialog() {
  const done = useSignIn((state) => state.captcha);
  const site = useQuery(siteQuery).data;
  if (!done || !site) return null;
  const pass = (ticket: CaptchaTicket | null) => {
    // Signing in goes on without one and is counted; here there is nothing that could not wait.
    if (ticket === null) toast.warn('验证没有加载出来，请检查网络后重试');
    done(ticket);
  };
  if (site.captcha_app !== null) return <Provider app={site.captcha_app} onPass={pass} onCancel={() => done(null)} />;
  return (
    <Dialog open title="安全验证" width="form" outsideCloses={false} onClose={() => done(null)}>
      <Slider onPass={pass} onCancel={() => done(null)} />
    </Dialog>
  );
}

interface ProviderProps {
  app: string;
  onPass: (ticket: CaptchaTicket | null) => void;
  onCancel: () => void;
}

/** Draws nothing itself: the provider opens its own window. */
function Provider({ app, onPass, onCancel }: ProviderProps) {
  useEffect(() => {
    let isGone = false;
    void solveTencent(app).then((solved) => {
      if (isGone) return;
      if (solved === 'closed') onCancel();
      else onPass(solved);
    });
    return () => {
      isGone = true;
    };
    // Once for each time it is asked for.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [app]);
  return null;
}
