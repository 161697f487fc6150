/** Signing in, and the person's own settings. */
import { randomBytes } from 'node:crypto';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Config } from '../../lib/config.ts';
import type { Db } from '../../lib/db.ts';
import { Fault, missing } from '../../lib/errors.ts';
import { randomCode, sameText } from '../../lib/keys.ts';
import { spendTicket } from './captcha.ts';
import type { CaptchaDeps } from './captcha.ts';
import { checkCode } from './codes.ts';
import type { Device } from './device.ts';
import { logIn } from './login.ts';
import type { LoginDeps } from './login.ts';
import { findOrCreateByLink } from './links.ts';
import type { ConfirmedPerson } from './links.ts';
import { newNickname } from './nicknames.ts';
import { digestPhone, readPhone, sealPhone } from './phones.ts';
import type { CaptchaTicket, SignIn, UserConfig, UserConfigChange } from './schema.ts';
import * as store from './store.ts';
import type { UserRow } from './store.ts';
import { createTencentCaptcha } from './tencent-captcha.ts';

export type { UserRow } from './store.ts';
export {
  bannedAmong,
  devicesOf,
  endAllSessions,
  endEnterpriseSessions,
  findDemo,
  findUser,
  findUserByPhone,
  insertDemo,
  lastSeenOf,
  liveSessions,
  lockUser,
  madeTogether,
  tidyOffers,
  usersByIds,
  usersByNickname,
} from './store.ts';
export { avatarUrl, banUser, listSessions, offerChannels, unbanUser } from './sessions.ts';
export { digestPhone, openPhone, readPhone } from './phones.ts';
export { createPeople } from './people.ts';
export type { Channel, People } from './people.ts';
export { demandStepUp, prove, sendProof } from './step-up.ts';
export { createSms } from './sms.ts';
export type { SmsProvider } from './sms.ts';
export { requestDeletion as leave, purgeDeletedAccounts as removeLeft } from './account-deletion.ts';
export { waysOf } from './binding.ts';
export { addLink, removeLink } from './linking.ts';
export { noticeTopic, NOTICE, tell } from './notices.ts';
export { digestSubject, findOrCreateByLink } from './links.ts';
export type { ConfirmedPerson } from './links.ts';
export type { LinkProvider } from './tables.ts';
export type { LoginDeps as EnterDeps } from './login.ts';
export { cookieName, describeAgent, deviceOf, ownNetworks } from './device.ts';
export type { Device } from './device.ts';

type Deps = LoginDeps;

/** Which captcha this installation uses. */
export function captchaDeps(
  deps: Omit<CaptchaDeps, 'acceptsSandbox' | 'checkTicket'> & { config: Config },
): CaptchaDeps {
  const { isProduction, providers } = deps.config;
  const checkTicket = providers.captcha.kind === 'tencent' ? createTencentCaptcha(providers.captcha, deps.log) : null;
  return { ...deps, acceptsSandbox: !isProduction, checkTicket };
}

/** For other features that let visitors write. */
export function createCaptcha(deps: Parameters<typeof captchaDeps>[0]) {
  const own = captchaDeps(deps);
  return {
    spend: (sent: CaptchaTicket, device: Device, address: string): Promise<void> =>
      spendTicket(own, sent, device, address),
  };
}

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
  const sealed = sealPhone(deps.keys, phone);
  return logIn(deps, device, (tx) => store.findOrCreateByPhone(tx, { digest, sealed }, newNickname(), utmSource));
}

/** The account of a phone, made when there is none yet; for the operator's command. */
export function makeUserByPhone(db: Db, keys: Deps['keys'], typed: string): Promise<UserRow> {
  const phone = readPhone(typed);
  const both = { digest: digestPhone(keys, phone), sealed: sealPhone(keys, phone) };
  return db.transaction(async (tx) => (await store.findOrCreateByPhone(tx, both, newNickname(), null)).user);
}

/** Signs in whom a provider has confirmed; the first time makes an account, of which `onNew` hears. */
export async function signInByLink(
  deps: Deps,
  person: ConfirmedPerson,
  utmSource: string | null,
  device: Device,
  onNew: (userId: number) => void = () => undefined,
): Promise<SignIn> {
  let newUserId: number | null = null;
  const answer = await logIn(deps, device, async (tx) => {
    const found = await findOrCreateByLink(tx, person, utmSource);
    newUserId = found.isNew ? found.user.id : null;
    return found;
  });
  if (newUserId !== null) onNew(newUserId);
  return answer;
}

/** The account that the sandbox offers to look around; absent until sample content was loaded. */
export async function signInDemo(deps: Deps, device: Device): Promise<SignIn> {
  const demo = deps.config.isProduction ? null : await store.findDemo(deps.db);
  if (!demo) throw missing();
  return logIn(deps, device, async () => ({ user: demo, isNew: false }));
}

/** A ticket that a provider's redirect carries to /oauth/login: once, 60 seconds, for the browser that began. */
export async function issueHandoff(
  deps: Pick<Deps, 'db' | 'keys'>,
  userId: number,
  flow: string,
  isNew = false,
): Promise<string> {
  const ticket = randomCode();
  const digest = deps.keys.digest('handoff', ticket);
  await store.insertHandoff(deps.db, digest, deps.keys.digest('flow', flow), userId, isNew);
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
  return logIn(deps, device, async (tx) => {
    const user = await store.lockUser(tx, taken.userId);
    if (!user) throw new Fault(30003);
    return { user, isNew: taken.lucky };
  });
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

export async function changeConfig(db: Db, userId: number, change: UserConfigChange): Promise<UserConfig> {
  const { fill_nan_adjusted: fill, analytics } = change;
  const user = await store.updateUser(db, userId, {
    ...(fill === undefined ? {} : { fillNanAdjusted: fill }),
    ...(analytics === undefined ? {} : { analyticsConsent: analytics === 1 }),
  });
  return configOf(user);
}

export const configOf = (user: UserRow): UserConfig => ({
  fill_nan_adjusted: user.fillNanAdjusted === 1 ? 1 : 0,
  analytics: user.analyticsConsent ? 1 : 0,
});
