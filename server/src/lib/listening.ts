/** Where the server is to listen: asked before anything else is started, so that the reason stands there at once. */
import { createServer } from 'node:net';
import { ConfigFault } from './config.ts';

interface Place {
  host: string;
  port: number;
}

/** Throws a ConfigFault where nobody can listen; a port of 0 is any that is free. */
export async function demandPort(place: Place): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen({ ...place, exclusive: true }, resolve);
    });
  } catch (error) {
    throw listenFault(error, place) ?? error;
  }
  await new Promise((resolve) => probe.close(resolve));
}

/** What a person can do about it; null where we do not know. */
function listenFault(error: unknown, { host, port }: Place): ConfigFault | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE')
    return new ConfigFault(`端口 ${port} 已被占用。请先结束占用它的程序，或换一个端口：PORT=${port + 1} npm start`);
  if (code === 'EACCES')
    return new ConfigFault(`没有权限使用端口 ${port}。请换一个 1024 以上的端口：PORT=3000 npm start`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new ConfigFault(`本机没有 HOST 指定的地址：${host}。只在本机访问用 127.0.0.1，所有网卡用 0.0.0.0`);
  return null;
}
