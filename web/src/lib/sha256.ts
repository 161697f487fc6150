/**
 * SHA-256 of bytes that come piece by piece (FIPS 180-4). The browser's own wants the whole file in memory, and is absent
 * where the product is reached by plain HTTP inside an institution.
 */
const K = new Uint32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);
const BLOCK = 64;

export class Sha256 {
  readonly #state = new Uint32Array([
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  ]);
  readonly #words = new Uint32Array(BLOCK);
  #rest = new Uint8Array(0);
  #length = 0;

  update(bytes: Uint8Array): void {
    this.#length += bytes.length;
    let from = 0;
    if (this.#rest.length > 0) {
      const wanted = Math.min(BLOCK - this.#rest.length, bytes.length);
      const joined = new Uint8Array(this.#rest.length + wanted);
      joined.set(this.#rest);
      joined.set(bytes.subarray(0, wanted), this.#rest.length);
      from = wanted;
      this.#rest = joined;
      if (joined.length < BLOCK) return;
      this.#block(joined, 0);
    }
    for (; from + BLOCK <= bytes.length; from += BLOCK) this.#block(bytes, from);
    this.#rest = bytes.slice(from);
  }

  hex(): string {
    const bits = this.#length * 8;
    const zeros = (BLOCK * 2 - 9 - (this.#rest.length % BLOCK)) % BLOCK;
    const tail = new Uint8Array(1 + zeros + 8);
    tail[0] = 0x80;
    const view = new DataView(tail.buffer);
    view.setUint32(1 + zeros, Math.floor(bits / 2 ** 32));
    view.setUint32(5 + zeros, bits >>> 0);
    this.update(tail);
    return [...this.#state].map((word) => word.toString(16).padStart(8, '0')).join('');
  }

  #block(bytes: Uint8Array, from: number): void {
    const w = this.#words;
    const view = new DataView(bytes.buffer, bytes.byteOffset + from, BLOCK);
    for (let t = 0; t < 16; t += 1) w[t] = view.getUint32(t * 4);
    for (let t = 16; t < BLOCK; t += 1) {
      const x = w[t - 15] ?? 0;
      const y = w[t - 2] ?? 0;
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[t] = (w[t - 16] ?? 0) + s0 + (w[t - 7] ?? 0) + s1;
    }
    const s = this.#state;
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = s;
    for (let t = 0; t < BLOCK; t += 1) {
      const big1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const choice = (e & f) ^ (~e & g);
      const t1 = (h + big1 + choice + (K[t] ?? 0) + (w[t] ?? 0)) | 0;
      const big0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const majority = (a & b) ^ (a & c) ^ (b & c);
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + big0 + majority) | 0;
    }
    for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) s[at] = (s[at] ?? 0) + value;
  }
}

const PIECE = 4 * 1024 * 1024;

/** Of a file, with how much of it has been read. */
export async function sha256Of(file: Blob, onRead?: (bytes: number) => void): Promise<string> {
  const hash = new Sha256();
  for (let from = 0; from < file.size; from += PIECE) {
    hash.update(new Uint8Array(await file.slice(from, from + PIECE).arrayBuffer()));
    onRead?.(Math.min(file.size, from + PIECE));
  }
  return hash.hex();
}
