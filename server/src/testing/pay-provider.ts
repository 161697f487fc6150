/** A payment provider of our own making, over HTTP: the real clients speak to it with real signatures. */
import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';

const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
export const [ours, theirs] = [pair(), pair()];
export const bare = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '');
export const sign = (text: string, key = theirs.privateKey): string =>
  createSign('RSA-SHA256').update(text).sign(key, 'base64');

interface Seen {
  method: string;
  url: string;
  body: string;
  headers: IncomingMessage['headers'];
}

interface Stand {
  origin: string;
  /** What was asked, oldest first. */
  seen: Seen[];
  answer: (call: Seen) => { status?: number; body: unknown; headers?: Record<string, string> };
}

/** Stands for the tests of a file. */
export function standIn(): Stand {
  const stand: Stand = { origin: '', seen: [], answer: () => ({ status: 500, body: null }) };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const call = { method, url, body: Buffer.concat(parts).toString('utf8'), headers };
      stand.seen.push(call);
      const { status = 200, body, headers: more = {} } = stand.answer(call);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response
        .writeHead(status, { 'content-type': 'application/json', ...more })
        .end(status === 204 ? undefined : text);
    });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stand.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    stand.seen = [];
  });
  return stand;
}

export const ORDER = `HX20261121${'1'.repeat(14)}`;
export const ASKED = {
  order_no: ORDER,
  total: 3900,
  title: '衡析 月度会员',
  expires_at: new Date('2026-11-21T12:00:00Z'),
};
