/** Real messages: Alibaba Cloud and Tencent Cloud. Their libraries are large and are loaded when the first message is sent. */
import type { Providers } from '../../lib/config-providers.ts';
import { Fault } from '../../lib/errors.ts';
import type { Logger } from '../../lib/log.ts';

type Aliyun = Extract<Providers['sms'], { kind: 'aliyun' }>;
type Tencent = Extract<Providers['sms'], { kind: 'tencent' }>;

export interface Sender {
  /** One message by a template with one parameter; throws 30009, or what is wrong with the number, when it was not taken. */
  send(phone: string, template: string, parameter: { name: string; value: string }): Promise<void>;
}

/** How long a provider may take; shorter in tests only. */
const SECONDS = 5;

/** Refusals that are about the person's number, not about us: they are told in the words of our own limits. */
const ABOUT_PHONE: readonly [RegExp, 20010 | 20011][] = [
  [/^(?:isv\.BUSINESS_LIMIT_CONTROL|LimitExceeded\.PhoneNumber\w+)$/, 20011],
  [/^(?:isv\.MOBILE_NUMBER_ILLEGAL|InvalidParameterValue\.IncorrectPhoneNumber)$/, 20010],
];

/** Whatever the provider's library throws may hold keys or the phone: only its kind is logged. */
function refuse(log: Logger, provider: string, reason: unknown): never {
  // A provider that talks nonsense may put anything in place of its code.
  log.warn(
    { event: 'sms', provider, reason: typeof reason === 'string' ? reason.slice(0, 80) : 'no code' },
    'a message was not sent',
  );
  const known = ABOUT_PHONE.find(([pattern]) => typeof reason === 'string' && pattern.test(reason));
  throw new Fault(known?.[1] ?? 30009);
}

const kindOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

export function createAliyunSender(config: Aliyun, log: Logger, seconds = SECONDS): Sender {
  const connect = async () => {
    const { default: loaded, SendSmsRequest } = await import('@alicloud/dysmsapi20170525');
    const { Config } = await import('@alicloud/openapi-client');
    // A CommonJS module whose class is the default of its default, as Node loads it.
    const Client = 'default' in loaded ? (loaded.default as typeof loaded) : loaded;
    const client = new Client(
      new Config({
        accessKeyId: config.keyId,
        accessKeySecret: config.keySecret,
        endpoint: config.endpoint ?? 'dysmsapi.aliyuncs.com',
        protocol: config.endpoint ? 'http' : 'https',
        connectTimeout: seconds * 1000,
        readTimeout: seconds * 1000,
      }),
    );
    return { client, SendSmsRequest };
  };
  let connected: ReturnType<typeof connect> | null = null;
  return {
    async send(phone, template, { name, value }) {
      connected ??= connect();
      const { client, SendSmsRequest } = await connected;
      const request = new SendSmsRequest({
        phoneNumbers: phone,
        signName: config.sign,
        templateCode: template,
        templateParam: JSON.stringify({ [name]: value }),
      });
      const answer = await client.sendSms(request).catch((error: unknown) => refuse(log, 'aliyun', kindOf(error)));
      if (answer.body?.code !== 'OK') refuse(log, 'aliyun', answer.body?.code);
    },
  };
}

export function createTencentSender(config: Tencent, log: Logger, seconds = SECONDS): Sender {
  const connect = async () => {
    const { sms } = await import('tencentcloud-sdk-nodejs-sms');
    return new sms.v20210111.Client({
      credential: { secretId: config.secretId, secretKey: config.secretKey },
      region: 'ap-guangzhou',
      profile: {
        httpProfile: {
          reqTimeout: seconds,
          ...(config.endpoint ? { endpoint: config.endpoint, protocol: 'http://' } : {}),
        },
      },
    });
  };
  let connected: ReturnType<typeof connect> | null = null;
  return {
    async send(phone, template, { value }) {
      connected ??= connect();
      const client = await connected;
      const answer = await client
        .SendSms({
          PhoneNumberSet: [`+86${phone}`],
          SmsSdkAppId: config.app,
          SignName: config.sign,
          TemplateId: template,
          TemplateParamSet: [value],
        })
        .catch((error: unknown) => refuse(log, 'tencent', kindOf(error)));
      const code = answer.SendStatusSet?.[0]?.Code;
      if (code !== 'Ok') refuse(log, 'tencent', code);
    },
  };
}
