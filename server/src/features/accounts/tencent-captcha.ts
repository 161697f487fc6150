/** Tencent's captcha: the browser solves it there, we ask Tencent whether the ticket is good. */
import type { Providers } from '../../lib/config-providers.ts';
import type { Logger } from '../../lib/log.ts';

type Config = Extract<Providers['captcha'], { kind: 'tencent' }>;

export type TicketCheck = (ticket: string, rand: string, address: string) => Promise<boolean>;

/** How long the provider may take; shorter in tests only. */
const SECONDS = 5;
/** "Slide" and its successors; the only type the service has kept. */
const CAPTCHA_TYPE = 9;
const GOOD = 1;

export function createTencentCaptcha(config: Config, log: Logger, seconds = SECONDS): TicketCheck {
  const connect = async () => {
    const { CommonClient } = await import('tencentcloud-sdk-nodejs-common');
    return new CommonClient(config.endpoint ?? 'captcha.tencentcloudapi.com', '2019-07-22', {
      credential: { secretId: config.secretId, secretKey: config.secretKey },
      region: '',
      profile: { httpProfile: { reqTimeout: seconds, ...(config.endpoint ? { protocol: 'http://' } : {}) } },
    });
  };
  let connected: ReturnType<typeof connect> | null = null;
  return async (ticket, rand, address) => {
    connected ??= connect();
    const client = await connected;
    try {
      const answer: unknown = await client.request('DescribeCaptchaResult', {
        CaptchaType: CAPTCHA_TYPE,
        Ticket: ticket,
        Randstr: rand,
        UserIp: address,
        CaptchaAppId: Number(config.app),
        AppSecretKey: config.key,
      });
      return typeof answer === 'object' && answer !== null && 'CaptchaCode' in answer && answer.CaptchaCode === GOOD;
    } catch (error) {
      // No answer is no pass: a captcha that lets everybody through when it is down would be none.
      log.warn({ event: 'captcha', reason: error instanceof Error ? error.name : 'unknown' }, 'captcha not checked');
      return false;
    }
  };
}
