import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { ConfigFault } from './config.ts';
import { demandPort } from './listening.ts';

test('a port in use is told with what to do; a free one stays free', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const asked = demandPort({ host: '127.0.0.1', port });
  await expect(asked).rejects.toThrow(ConfigFault);
  await expect(asked).rejects.toThrow(`端口 ${port} 已被占用`);
  await new Promise((resolve) => other.close(resolve));
  await demandPort({ host: '127.0.0.1', port });
  await demandPort({ host: '127.0.0.1', port });
});

test('an address this machine does not have is told as such', async () => {
  await expect(demandPort({ host: '192.0.2.1', port: 0 })).rejects.toThrow('本机没有 HOST 指定的地址：192.0.2.1');
});
