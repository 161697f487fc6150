/** The embedded database in a thread of its own: while it works, the server's thread answers others. */
import { Worker } from 'node:worker_threads';
import type { Line } from './embedded.ts';

/** An answer, or what broke. `null`: ready, or closed. */
type Reply = Uint8Array | string | null;

export async function openThread(folder: string): Promise<Line> {
  const worker = new Worker(new URL('./embedded-worker.mjs', import.meta.url), {
    workerData: { folder },
    execArgv: [],
  });
  /** Those who wait, in the order of their questions. */
  const waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void }[] = [];
  let broken: Error | null = null;

  const breakDown = (error: Error): void => {
    broken ??= error;
    for (const one of waiting.splice(0)) one.reject(broken);
  };
  worker.on('message', (reply: Reply) => {
    const next = waiting.shift();
    if (typeof reply === 'string') next?.reject(new Error(reply));
    else next?.resolve(reply);
  });
  worker.on('error', breakDown);
  worker.on('exit', () => breakDown(new Error('The embedded database has ended')));

  const told = (): Promise<Reply> =>
    new Promise((resolve, reject) => (broken ? reject(broken) : waiting.push({ resolve, reject })));

  await told();
  return {
    exchange: async (message) => {
      const answer = told();
      if (!broken) worker.postMessage(message, [message.buffer as ArrayBuffer]);
      const bytes = await answer;
      if (!(bytes instanceof Uint8Array)) throw new Error('The embedded database gave no answer');
      return bytes;
    },
    close: async () => {
      const closed = told();
      if (!broken) worker.postMessage(null, []);
      await closed;
      await worker.terminate();
    },
  };
}
