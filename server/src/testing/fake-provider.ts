/** A provider in this process that misbehaves on demand: slow, down, cut, or talking nonsense. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export const NONSENSE = [
  'hang',
  'reset',
  'cut',
  'empty',
  'html',
  'half json',
  'array',
  'null',
  'wrong types',
  'missing fields',
  'huge',
  'redirect',
  'status 500',
] as const;
export type Mode = (typeof NONSENSE)[number] | 'good';

export interface Seen {
  path: string;
  query: URLSearchParams;
  body: string;
}

export class FakeProvider {
  mode: Mode = 'good';
  /** Good answers by path; a path that is absent here answers 404. */
  answers: Record<string, (seen: Seen) => unknown> = {};
  readonly seen: Seen[] = [];
  #server: Server | null = null;
  #port = 0;

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => {
        body += part.toString('utf8');
      });
      request.on('end', () => this.#answer(request, response, body));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    this.#port = typeof address === 'object' && address ? address.port : 0;
    this.#server = server;
  }

  get host(): string {
    return `127.0.0.1:${this.#port}`;
  }
  get url(): string {
    return `http://${this.host}`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server?.close(() => resolve());
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const url = new URL(request.url ?? '/', this.url);
    const seen = { path: url.pathname, query: url.searchParams, body };
    this.seen.push(seen);
    const say = (text: string, type = 'application/json'): void => {
      response.setHeader('content-type', type);
      response.end(text);
    };
    switch (this.mode) {
      case 'good': {
        const answer = this.answers[url.pathname];
        if (!answer) response.statusCode = 404;
        return say(JSON.stringify(answer ? answer(seen) : {}));
      }
      case 'hang':
        return;
      case 'reset':
        request.socket.destroy();
        return;
      case 'cut':
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('{"access_token": "a');
        response.socket?.destroySoon();
        return;
      case 'empty':
        return say('');
      case 'html':
        return say('<html><body>502 Bad Gateway</body></html>', 'text/html');
      case 'half json':
        return say('{"openid": "o1", "access_');
      case 'array':
        return say('[{"openid": "o1", "access_token": "a"}]');
      case 'null':
        return say('null');
      case 'wrong types':
        return say(
          '{"access_token": {"a": 1}, "openid": 17, "valid": "true", "errcode": "zero", "Code": 5, "error": []}',
        );
      case 'missing fields':
        return say('{"request_id": "x"}');
      case 'huge':
        return say(`{"openid": "o1", "access_token": "${'a'.repeat(3 * 1024 * 1024)}"}`);
      case 'redirect':
        response.writeHead(302, { location: `${this.url}/elsewhere` });
        response.end();
        return;
      case 'status 500':
        response.statusCode = 500;
        return say('{"openid": "o1", "access_token": "a", "valid": true}');
    }
  }
}
