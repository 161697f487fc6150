import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { installCompression } from './compression.ts';

const app = fastify();
installCompression(app);
const long = { list: Array.from({ length: 500 }, (_, i) => ({ name: `方法${i}` })) };
app.get('/long', async () => long);
app.get('/short', async () => ({ a: 1 }));
app.get('/picture', async (_, reply) => reply.type('image/png').send(Buffer.alloc(10_000)));
app.get('/by-language', async (_, reply) => reply.header('vary', 'accept').send(long));

const ask = (url: string, encoding = 'gzip, deflate, br') =>
  app.inject({ url, headers: { 'accept-encoding': encoding } });

test('a long answer is compressed as the browser takes it, and is the same afterwards', async () => {
  const brotli = await ask('/long', 'br');
  expect(brotli.headers['content-encoding']).toBe('br');
  expect(JSON.parse(brotliDecompressSync(brotli.rawPayload).toString())).toEqual(long);
  expect(Number(brotli.headers['content-length'])).toBe(brotli.rawPayload.length);
  expect(brotli.rawPayload.length).toBeLessThan(3000);
  const gzipped = await ask('/long', 'gzip');
  expect(gzipped.headers['content-encoding']).toBe('gzip');
  expect(JSON.parse(gunzipSync(gzipped.rawPayload).toString())).toEqual(long);
});

test('short answers, pictures and browsers that take nothing get the plain bytes', async () => {
  for (const answer of [
    await ask('/short'),
    await ask('/picture'),
    await ask('/long', 'identity'),
    await ask('/long', ''),
  ])
    expect(answer.headers['content-encoding']).toBeUndefined();
  expect((await ask('/long', 'identity')).json()).toEqual(long);
});

test('a cache is told that the answer depends on the encoding, beside what it was told already', async () => {
  expect((await ask('/long', 'identity')).headers['vary']).toBe('accept-encoding');
  expect((await ask('/by-language')).headers['vary']).toBe('accept, accept-encoding');
});
