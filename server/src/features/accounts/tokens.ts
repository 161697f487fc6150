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

/** Null for anything that is not a token of ours; whether its session lives is a question for the database. */
export async function readToken(keys: Keys, token: string): Promise<{ userId: number; sessionId: number } | null> {
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
    const { oid, sid } = payload;
    if (typeof oid !== 'number' || typeof sid !== 'number') return null;
    if (!Number.isSafeInteger(oid) || !Number.isSafeInteger(sid)) return null;
    return { userId: oid, sessionId: sid };
  } catch {
    return null;
  }
}
