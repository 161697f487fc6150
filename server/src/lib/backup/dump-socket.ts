/**
 * The embedded database is open in one process only. While the server runs, a backup asks it for the rows: over a socket
 * in the folder of data, which nobody else may enter.
 */
import { createServer, request } from 'node:http';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Snapshot } from '../db.ts';
import type { Logger } from '../log.ts';
import { dumpInto } from './backup.ts';

const socketOf = (data: string): string => join(data, 'run', 'backup.sock');
const DumpRequest = z.strictObject({ file: z.string().max(4096) });

/** Opens the door until the returned function is called. */
export async function openDumpSocket(data: string, snapshot: Snapshot, log: Logger): Promise<() => Promise<void>> {
  const socket = socketOf(data);
  await mkdir(join(data, 'run'), { recursive: true, mode: 0o700 });
  await rm(socket, { force: true });
  const server = createServer((incoming, answer) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const dumped = async (): Promise<void> => {
        const { file } = DumpRequest.parse(JSON.parse(Buffer.concat(parts).toString('utf8')));
        await dumpInto(file, snapshot);
      };
      dumped().then(
        () => answer.writeHead(204).end(),
        (error: unknown) => {
          log.error({ event: 'backup', err: error }, 'the rows could not be written');
          answer.writeHead(500).end(error instanceof Error ? error.message : 'failed');
        },
      );
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, resolve);
  });
  server.unref();
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(socket, { force: true });
  };
}

/** Has the running server write its rows into a file; false where no server runs. */
export function askForDump(data: string, file: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath: socketOf(data), method: 'POST', path: '/' }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => (text += part));
      answer.on('end', () =>
        answer.statusCode === 204 ? resolve(true) : reject(new Error(`服务器不能写出数据库：${text}`)),
      );
    });
    asked.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? resolve(false) : reject(error),
    );
    asked.end(JSON.stringify({ file }));
  });
}
