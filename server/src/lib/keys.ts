/** Secrets: from configuration, else made once and kept under HENGXI_DATA/keys, readable by the owner only. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigFault } from './config.ts';

export interface SigningKey {
  kid: string;
  key: Uint8Array;
}

export interface Keys {
  /** The first signs, all verify: rotation is adding a key in front. */
  sessions: readonly [SigningKey, ...SigningKey[]];
  /** Keyed digest, for look-ups of and comparisons with values that are not stored themselves. */
  digest(purpose: string, value: string): string;
  /** AES-256-GCM; `bound` ties the text to its place, so that it cannot be moved to another row's meaning. */
  seal(bound: string, text: string): string;
  open(bound: string, sealed: string): string;
  /** The secret the engine seals saved models with: hexadecimal, 256 bits. */
  models: string;
}

export async function loadKeys(options: {
  folder: string;
  sessionKeys: string[];
  dataKey: string | null;
}): Promise<Keys> {
  const sessionTexts =
    options.sessionKeys.length > 0 ? options.sessionKeys : [await kept(options.folder, 'session.key')];
  const dataText = options.dataKey ?? (await kept(options.folder, 'data.key'));
  const [first, ...others] = sessionTexts.map((text) => signingKey(bytesOf('HENGXI_SESSION_KEYS', text)));
  if (!first) throw new ConfigFault('HENGXI_SESSION_KEYS 为空');
  const data = bytesOf('HENGXI_DATA_KEY', dataText);
  const sealing = derive(data, 'seal');
  const digesting = derive(data, 'digest');
  return {
    sessions: [first, ...others],
    models: Buffer.from(derive(data, 'models')).toString('hex'),
    digest: (purpose, value) => createHmac('sha256', digesting).update(`${purpose}\0${value}`).digest('hex'),
    seal: (bound, text) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', sealing, iv);
      cipher.setAAD(Buffer.from(bound));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
    },
    open: (bound, sealed) => {
      const all = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', sealing, all.subarray(0, 12));
      decipher.setAAD(Buffer.from(bound));
      decipher.setAuthTag(all.subarray(12, 28));
      return Buffer.concat([decipher.update(all.subarray(28)), decipher.final()]).toString('utf8');
    },
  };
}

/** 128 random bits as 22 characters: tickets, scenes, shares. */
export const randomCode = (): string => randomBytes(16).toString('base64url');

/** Compares in constant time; texts of different lengths differ. */
export function sameText(a: string, b: string): boolean {
  const left = createHash('sha256').update(a).digest();
  const right = createHash('sha256').update(b).digest();
  return timingSafeEqual(left, right);
}

function derive(secret: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), `hengxi ${purpose}`, 32));
}

function signingKey(key: Uint8Array): SigningKey {
  return { key, kid: createHash('sha256').update('kid').update(key).digest('hex').slice(0, 8) };
}

function bytesOf(name: string, text: string): Uint8Array {
  const bytes = /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64url');
  if (bytes.length < 32) throw new ConfigFault(`${name} 至少需要 32 字节（base64url 或十六进制）`);
  return new Uint8Array(bytes);
}

async function kept(folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, name);
  try {
    await writeFile(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}
