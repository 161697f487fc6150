import { describe, expect, it } from 'vitest';

import { parseEvent, readEvents } from './sse.ts';

function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
}

async function all(stream: ReadableStream<Uint8Array>) {
  const found = [];
  for await (const event of readEvents(stream)) found.push(event);
  return found;
}

describe('server-sent events', () => {
  it('are read across chunk borders, also inside a Chinese sign', async () => {
    const text = 'event: state\nid: 3\ndata: {"text":"正在读取"}\n\nevent: end\ndata: {}\n\n';
    const bytes = new TextEncoder().encode(text);
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect(await all(stream)).toEqual([
      { event: 'state', id: '3', data: '{"text":"正在读取"}' },
      { event: 'end', id: null, data: '{}' },
    ]);
  });

  it('leave comments and an unfinished end out', async () => {
    expect(await all(streamOf(': beat\n\n', 'data: 1\n\ndata: 2'))).toEqual([
      { event: 'message', id: null, data: '1' },
    ]);
  });

  it('join several lines of data and take carriage returns', () => {
    expect(parseEvent('data: a\r\ndata: b')).toEqual({ event: 'message', id: null, data: 'a\nb' });
  });
});
