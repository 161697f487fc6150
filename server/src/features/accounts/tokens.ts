/** Session tokens: HS256, several keys by `kid`. Only `oid` and `sid` are believed; the rest is for display. */
import { SignJWT, jwtVerify } from 'jose';
import type { Keys } from '../../lib/keys.ts';
import type { TokenPayload } from './schema.ts';

const ISSUER = 'hengxi';
const AUDIENCE = 'hengxi:session';

export async function signToken(keys: Keys, payload: TokenPayload, sid: number, endsAt: Date): Promise<string> {
  const [{ kid, key }] = keys.sessions;
  return new SignJWT({ ...payload, sid })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(Math.floor(endsAt.getTime() / 1000))
    .sign(key);
}

interface Claimed {
  userId: number;
  sessionId: number;
}

/** Tokens whose signature was found good, per set of keys, until they end; a person sends the same one with every call. */
const good = new WeakMap<Keys, Map<string, { claimed: Claimed; ends: number }>>();
const GOOD_MOST = 5000;

/** Null for anything that is not a token of ours; whether its session lives is a question for the database. */
export async function readToken(keys: Keys, token: string): Promise<Claimed | null> {
  const known = good.get(keys) ?? new Map<string, { claimed: Claimed; ends: number }>();
  good.set(keys, known);
  const found = known.get(token);
  if (found && found.ends > Date.now()) return found.claimed;
  known.delete(token);
  const read = await verified(keys, token);
  if (!read) return null;
  if (known.size >= GOOD_MOST) known.clear();
  known.set(token, read);
  return read.claimed;
}

async function verified(keys: Keys, token: string): Promise<{ claimed: Claimed; ends: number } | null> {
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const found = keys.sessions.find((candidate) => candidate.kid === kid);
        if (!found) throw new Error('Unknown key');
        return found.key;
      },
      { algorithms: ['HS256'], issuer: ISSUER, audience: AUDIENCE },
    );
    const { oid, sid, exp } = payload;
    if (typeof oid !== 'number' || typeof sid !== 'number' || exp === undefined) return null;
    if (!Number.isSafeInteger(oid) || !Number.isSafeInteger(sid)) return null;
    return { claimed: { userId: oid, sessionId: sid }, ends: exp * 1000 };
  } catch {
    return null;
  }
}
