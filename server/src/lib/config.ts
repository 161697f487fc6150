/** Everything that can be configured from outside, read once at start. README lists the same names with their defaults. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { PaymentEnvironment, readPaymentKeys } from './config-payment.ts';
import type { PaymentKeys } from './config-payment.ts';
import { ProviderEnvironment, readProviders } from './config-providers.ts';
import type { Providers } from './config-providers.ts';
import { ROOT } from './programs.ts';

/** Empty values count as absent: `DATABASE_URL=` in a file means "embedded". */
const optional = z
  .string()
  .optional()
  .transform((value) => value?.trim() || null);

const Environment = z.object({
  ...ProviderEnvironment.shape,
  ...PaymentEnvironment.shape,
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  HENGXI_DATA: z.string().default('./data'),
  DATABASE_URL: optional,
  HENGXI_ENV: z.enum(['development', 'production']).default('development'),
  HENGXI_PUBLIC_URL: optional,
  /** CIDRs of proxies whose X-Forwarded-For is believed, separated by commas. */
  HENGXI_TRUST_PROXY: optional,
  HENGXI_ENGINE: optional,
  HENGXI_ENGINE_PORT: optional,
  HENGXI_ENGINE_SECRET: optional,
  HENGXI_ENGINE_PYTHON: optional,
  /** Signing keys of sessions, newest first, separated by commas; each at least 32 bytes, base64url or hex. */
  HENGXI_SESSION_KEYS: optional,
  /** Encrypts phone numbers and keys their look-up. Losing it loses the phone numbers. */
  HENGXI_DATA_KEY: optional,
  HENGXI_METRICS_TOKEN: optional,
  /** CIDRs from which the operator's desk exists at all, separated by commas; everywhere by default. */
  HENGXI_OPS_NETS: optional,
  /** 1: one operator may approve the own request; 1 in development, 0 in production. */
  HENGXI_SINGLE_OPERATOR: z.enum(['0', '1']).optional(),
  /** The browser that prints PDF, where it does not stand in its usual place. */
  HENGXI_CHROMIUM: optional,
  HENGXI_VIDEO_HOST: optional,
  /** Shown in the footer; visibly unset until given. */
  HENGXI_SITE_COMPANY: optional,
  HENGXI_SITE_ADDRESS: optional,
  HENGXI_SITE_HOTLINE: optional,
  HENGXI_SITE_MAIL: optional,
  HENGXI_SITE_ICP: optional,
  HENGXI_SITE_POLICE: optional,
  /** `off`: no demo account. Never in production. */
  HENGXI_SAMPLE: z.enum(['on', 'off']).default('on'),
  HENGXI_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
});

export interface Config {
  root: string;
  port: number;
  host: string;
  data: string;
  databaseUrl: string | null;
  isProduction: boolean;
  publicUrl: URL | null;
  trustProxy: string[];
  engine: { url: string | null; secret: string | null; python: string; port: number | null };
  sessionKeys: string[];
  dataKey: string | null;
  metricsToken: string | null;
  /** The operator's desk. */
  ops: { nets: string[]; isSingle: boolean };
  chromium: string | null;
  videoHost: string | null;
  providers: Providers;
  payment: PaymentKeys;
  /** Whether the demo account with its content is made at start. */
  hasSample: boolean;
  company: Record<'name' | 'address' | 'hotline' | 'mail' | 'icp' | 'police', string | null>;
  logLevel: string;
  /** Folder of the built web application. */
  web: string;
}

/** A fault of configuration: told to the operator in one sentence, without a stack. */
export class ConfigFault extends Error {}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const parsed = Environment.safeParse(withFiles(env));
  if (!parsed.success) throw new ConfigFault(`配置有误：\n${z.prettifyError(parsed.error)}`);
  const values = parsed.data;
  const isProduction = values.HENGXI_ENV === 'production';
  const faults = isProduction ? missingForProduction(values) : [];
  const providers = readProviders(values, isProduction, faults);
  const payment = readPaymentKeys(values, faults);
  if (faults.length > 0) throw new ConfigFault(`${isProduction ? '生产环境' : ''}缺少配置：${faults.join('、')}`);
  if (values.HENGXI_ENGINE && !values.HENGXI_ENGINE_SECRET)
    throw new ConfigFault('设置了 HENGXI_ENGINE 时必须同时设置 HENGXI_ENGINE_SECRET');
  return {
    root: ROOT,
    port: values.PORT,
    host: values.HOST,
    data: resolve(ROOT, values.HENGXI_DATA),
    databaseUrl: values.DATABASE_URL,
    isProduction,
    publicUrl: values.HENGXI_PUBLIC_URL ? new URL(values.HENGXI_PUBLIC_URL) : null,
    trustProxy: list(values.HENGXI_TRUST_PROXY),
    engine: {
      url: values.HENGXI_ENGINE,
      secret: values.HENGXI_ENGINE_SECRET,
      python: values.HENGXI_ENGINE_PYTHON ?? resolve(ROOT, 'engine/.venv/bin/python'),
      port: values.HENGXI_ENGINE_PORT ? Number(values.HENGXI_ENGINE_PORT) : null,
    },
    sessionKeys: list(values.HENGXI_SESSION_KEYS),
    dataKey: values.HENGXI_DATA_KEY,
    metricsToken: values.HENGXI_METRICS_TOKEN,
    ops: {
      nets: list(values.HENGXI_OPS_NETS),
      isSingle: (values.HENGXI_SINGLE_OPERATOR ?? (isProduction ? '0' : '1')) === '1',
    },
    chromium: values.HENGXI_CHROMIUM,
    videoHost: values.HENGXI_VIDEO_HOST,
    providers,
    payment,
    hasSample: !isProduction && values.HENGXI_SAMPLE === 'on',
    company: {
      name: values.HENGXI_SITE_COMPANY,
      address: values.HENGXI_SITE_ADDRESS,
      hotline: values.HENGXI_SITE_HOTLINE,
      mail: values.HENGXI_SITE_MAIL,
      icp: values.HENGXI_SITE_ICP,
      police: values.HENGXI_SITE_POLICE,
    },
    logLevel: values.HENGXI_LOG_LEVEL ?? (isProduction ? 'info' : 'warn'),
    web: resolve(ROOT, 'web/dist'),
  };
}

function missingForProduction(values: z.infer<typeof Environment>): string[] {
  const missing: string[] = [];
  if (!values.DATABASE_URL) missing.push('DATABASE_URL（生产环境不使用嵌入式数据库）');
  if (!values.HENGXI_SESSION_KEYS) missing.push('HENGXI_SESSION_KEYS');
  if (!values.HENGXI_DATA_KEY) missing.push('HENGXI_DATA_KEY');
  if (!values.HENGXI_PUBLIC_URL) missing.push('HENGXI_PUBLIC_URL');
  return missing;
}

/** `NAME_FILE` gives the value of NAME from a file, so that secrets need not stand in the environment. */
function withFiles(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  const merged: Record<string, string | undefined> = { ...env };
  for (const [name, path] of Object.entries(env)) {
    const target = name.endsWith('_FILE') ? name.slice(0, -5) : null;
    if (!target || !(target in Environment.shape) || !path) continue;
    if (!existsSync(path)) throw new ConfigFault(`${name} 指向的文件不存在：${path}`);
    merged[target] = readFileSync(path, 'utf8').trim();
  }
  return merged;
}

function list(value: string | null): string[] {
  return value
    ? value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean)
    : [];
}
