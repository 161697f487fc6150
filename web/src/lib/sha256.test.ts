import { createHash } from 'node:crypto';

import { expect, it, test } from 'vitest';

import { Sha256, sha256Of } from './sha256.ts';

test.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
])('the examples of the standard: %s', (text, digest) => {
  const hash = new Sha256();
  hash.update(new TextEncoder().encode(text));
  expect(hash.hex()).toBe(digest);
});

it('is the same however the bytes are cut, at every length around a block', () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 37 + length) % 256);
    const hash = new Sha256();
    for (let from = 0; from < length; from += 7) hash.update(bytes.subarray(from, from + 7));
    expect(hash.hex()).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
});

it('reads a file piece by piece and tells how far it is', async () => {
  const bytes = new Uint8Array(9 * 1024 * 1024).fill(7);
  const told: number[] = [];
  expect(await sha256Of(new Blob([bytes]), (read) => told.push(read))).toBe(
    createHash('sha256').update(bytes).digest('hex'),
  );
  expect(told.at(-1)).toBe(bytes.length);
  expect(told.length).toBe(3);
});
