/**
 * Compresses long answers to calls, as the browser takes them: reports and the list of methods shrink to a seventh.
 * Files of the built pages lie beside themselves compressed (pages.ts); streams pass as they are, so that events are not held back.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import negotiate from '@fastify/accept-negotiator';
import type { FastifyInstance } from 'fastify';

/** Shorter ones fit into a packet or two anyway. */
const LEAST_BYTES = 4096;

/** A third of the time of the default quality, at a few hundredths more bytes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const COMPRESSORS: Record<string, (text: string | Buffer) => Promise<Buffer>> = {
  br: (text) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text) => promisify(gzip)(text),
};

export function installCompression(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isText || Buffer.byteLength(payload) < LEAST_BYTES || reply.hasHeader('content-encoding')) return payload;
    if (!/^application\/json|^text\/html/.test(String(reply.getHeader('content-type')))) return payload;
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`);
    const encoding = negotiate.negotiate(request.headers['accept-encoding'] ?? '', Object.keys(COMPRESSORS));
    const compress = encoding === null ? undefined : COMPRESSORS[encoding];
    if (encoding === null || !compress) return payload;
    reply.header('content-encoding', encoding).removeHeader('content-length');
    return compress(payload);
  });
}
