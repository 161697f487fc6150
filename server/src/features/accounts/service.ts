/** Signing in, and the person's own settings. */
import { randomBytes, randomInt } from 'node:crypto';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Config } from '../../lib/config.ts';
import type { Db } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import type { Keys } from '../../lib/keys.ts';
import { sameText } from '../../lib/keys.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { checkCode } from './codes.ts';
import type { Device } from './device.ts';
import { digestPhone, readPhone, sealPhone } from './phones.ts';
import type { SignIn } from './schema.ts';
import { beginSession, signInAnswer } from './sessions.ts';
import * as store from './store.ts';
import type { UserRow } from './store.ts';

export type { UserRow } from './store.ts';
export { bannedAmong, findDemo, findUser, insertDemo, usersByIds } from './store.ts';
export { avatarUrl, banUser, unbanUser } from './sessions.ts';
export { openPhone } from './phones.ts';

interface Deps {
  db: Db;
  keys: Keys;
  config: Config;
  metrics: Metrics;
}

/** Letters and digits that are not mistaken for one another. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const newNickname = (): string => `用户${Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`;

export async function signInByPhone(
  deps: Deps,
  sent: { phone: string; verify_code: string; verify_key: string },
  utmSource: string | null,
  device: Device,
): Promise<SignIn> {
  const phone = readPhone(sent.phone);
  const digest = digestPhone(deps.keys, phone);
  const { verify_key: verifyKey, verify_code: code } = sent;
  await checkCode(deps, { purpose: 'login', phoneDigest: digest, verifyKey, code }, device);
  const begun = await deps.db.transaction(async (tx) => {
    const sealed = sealPhone(deps.keys, phone);
    const user = await store.findOrCreateByPhone(tx, { digest, sealed }, newNickname(), utmSource);
    return { user, ...(await beginSession(tx, user, device)) };
  });
  return signInAnswer(deps.keys, begun.user, begun.session, begun.warning);
}

/** The account that the sandbox offers to look around; absent until sample content was loaded. */
export async function signInDemo(deps: Deps, device: Device): Promise<SignIn> {
  const demo = deps.config.isProduction ? null : await store.findDemo(deps.db);
  if (!demo) throw missing();
  const begun = await deps.db.transaction((tx) => beginSession(tx, demo, device));
  return signInAnswer(deps.keys, demo, begun.session, begun.warning);
}

/** A ticket that a provider's redirect carries to /oauth/login: once, 60 seconds, for the browser that began. */
export async function issueHandoff(deps: Deps, userId: number, flow: string): Promise<string> {
  const ticket = randomBytes(16).toString('base64url');
  await store.insertHandoff(deps.db, deps.keys.digest('handoff', ticket), deps.keys.digest('flow', flow), userId);
  return ticket;
}

export async function redeemHandoff(
  deps: Deps,
  ticket: string,
  flow: string | undefined,
  device: Device,
): Promise<SignIn> {
  const taken = await store.takeHandoff(deps.db, deps.keys.digest('handoff', ticket));
  if (!taken || !flow || !sameText(taken.flowDigest, deps.keys.digest('flow', flow))) throw new Fault(30003);
  const begun = await deps.db.transaction(async (tx) => {
    const user = await store.lockUser(tx, taken.userId);
    if (!user) throw new Fault(30003);
    return { user, ...(await beginSession(tx, user, device)) };
  });
  return signInAnswer(deps.keys, begun.user, begun.session, begun.warning);
}

const AVATAR = /^data:image\/(?:png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/;
const AVATAR_SIDE = 128;
const PIXELS_MAX = 25_000_000;

/** Pictures are drawn anew: nothing of the sent file is kept but its look. */
export async function setAvatar(db: Db, userId: number, dataUrl: string | null): Promise<void> {
  if (dataUrl === null) return store.removeAvatar(db, userId);
  const sent = AVATAR.exec(dataUrl)?.[1];
  if (!sent) throw new Fault(30090, { detail: '头像须为 png、jpeg 或 webp 图片' });
  const bytes = Buffer.from(sent, 'base64');
  const image = isSmallPicture(bytes) ? await loadImage(bytes).catch(() => null) : null;
  if (!image || image.width === 0 || image.width * image.height > PIXELS_MAX)
    throw new Fault(30090, { detail: '头像图片无法读取或过大' });
  const canvas = createCanvas(AVATAR_SIDE, AVATAR_SIDE);
  const side = Math.min(image.width, image.height);
  const [x, y] = [(image.width - side) / 2, (image.height - side) / 2];
  canvas.getContext('2d').drawImage(image, x, y, side, side, 0, 0, AVATAR_SIDE, AVATAR_SIDE);
  await store.putAvatar(db, userId, randomBytes(16).toString('hex'), new Uint8Array(canvas.toBuffer('image/png')));
}

/** Reads the declared size of a png before decoding it: a few kB can claim a gigantic picture. */
function isSmallPicture(bytes: Buffer): boolean {
  if (bytes.length > 512 * 1024 || bytes.length < 32) return false;
  if (bytes.readUInt32BE(0) !== 0x89504e47) return true;
  return bytes.readUInt32BE(16) * bytes.readUInt32BE(20) <= PIXELS_MAX;
}

export async function changeProfile(
  db: Db,
  userId: number,
  change: { nickname?: string | undefined; avatar?: string | null | undefined },
): Promise<UserRow> {
  if (change.avatar !== undefined) await setAvatar(db, userId, change.avatar);
  if (change.nickname !== undefined) return store.updateUser(db, userId, { nickname: change.nickname });
  const user = await store.findUser(db, userId);
  if (!user) throw new Error(`User ${userId} is missing`);
  return user;
}

export async function changeConfig(db: Db, userId: number, config: { fill_nan_adjusted: 0 | 1 }): Promise<void> {
  await store.updateUser(db, userId, { fillNanAdjusted: config.fill_nan_adjusted });
}
