/** Server-sent events of one run. Every event carries the run's event number as its id. */
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import type { RunEventName } from './schema.ts';
import type { RunRow, Runs } from './service.ts';
import { serializeRun } from './serialize.ts';

const BEAT_MS = 15_000;
/** A session that ended (ban, newer sign-in) ends its streams within this time. */
const CHECK_MS = 5000;

export interface Streams {
  open(run: RunRow, lastEventId: number | null, isAllowed: () => Promise<boolean>, reply: FastifyReply): FastifyReply;
  /** Streams of one user at this moment. */
  count(userId: number): number;
  /** Says goodbye on every stream; for stopping the server. */
  closeAll(): void;
}

export function createStreams(runs: Runs): Streams {
  const open = new Map<Readable, { userId: number; bye: () => void }>();
  return {
    count: (userId) => [...open.values()].filter((stream) => stream.userId === userId).length,
    closeAll: () => {
      for (const { bye } of open.values()) bye();
    },
    open(run, lastEventId, isAllowed, reply) {
      const stream = new Readable({ read: () => undefined });
      let isOver = false;
      const write = (text: string): void => {
        if (!isOver && !stream.destroyed) stream.push(text);
      };
      const finish = (): void => {
        if (!isOver && !stream.destroyed) stream.push(null);
        isOver = true;
      };
      const send = (name: RunEventName, row: RunRow): void => {
        const data = name === 'progress' ? row.progress : serializeRun(row);
        write(`id: ${row.seq}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
        if (name === 'end') finish();
      };
      const unwatch = runs.watch(run.id, send);
      const beat = setInterval(() => write(': beat\n\n'), BEAT_MS);
      const check = setInterval(() => {
        isAllowed().then(
          (allowed) => allowed || bye(),
          () => bye(),
        );
      }, CHECK_MS);
      const bye = (): void => {
        write('event: bye\ndata: {}\n\n');
        finish();
      };
      open.set(stream, { userId: run.userId, bye });
      stream.once('close', () => {
        unwatch();
        clearInterval(beat);
        clearInterval(check);
        open.delete(stream);
      });
      write('retry: 2000\n\n');
      if (!runs.isOpen(run)) send('end', run);
      else if (lastEventId === null || run.seq > lastEventId) send('state', run);
      return reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store, no-transform')
        .header('x-accel-buffering', 'no')
        .send(stream);
    },
  };
}
