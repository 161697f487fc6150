/** A captcha for what visitors may send; the dialog is features/login/captcha-dialog.tsx. */
import type { CaptchaTicket } from '@hengxi/server/accounts/schema';

import { useSignIn } from './sign-in.ts';

/** Null when it was given up. */
export function askCaptcha(): Promise<CaptchaTicket | null> {
  return new Promise((resolve) => {
    useSignIn.setState({
      captcha: (ticket) => {
        useSignIn.setState({ captcha: null });
        resolve(ticket);
      },
    });
  });
}
