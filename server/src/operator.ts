/**
 * `npm run operator -- add --phone 13800138000 --roles 客服,财务`, `remove --phone …`, `list`: who is staff. Never by a page.
 * Works on the database the server uses; an embedded one only while the server is stopped.
 */
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { digestPhone, findUserByPhone, findUser, makeUserByPhone, openPhone } from './features/accounts/service.ts';
import { ROLES } from './features/ops/schema.ts';
import type { Role } from './features/ops/schema.ts';
import { listOperators, setOperator } from './features/ops/service.ts';
import { ConfigFault, readConfig } from './lib/config.ts';
import { openDatabase } from './lib/db.ts';
import type { Db } from './lib/db.ts';
import { loadKeys } from './lib/keys.ts';
import type { Keys } from './lib/keys.ts';
import { maskPhone } from './lib/log.ts';

const USAGE = `用法：
  npm run operator -- add --phone 13800138000 --roles ${ROLES.join(',')}
  npm run operator -- remove --phone 13800138000
  npm run operator -- list`;

const isRole = (text: string): text is Role => ROLES.some((role) => role === text);

function rolesOf(text: string | undefined): Role[] {
  const names = (text ?? '').split(/[,，、]/).map((name) => name.trim());
  const roles = names.filter(isRole);
  if (roles.length === 0 || roles.length < names.length)
    throw new ConfigFault(`角色须为 ${ROLES.join('、')} 中的一个或几个，用逗号分隔`);
  return [...new Set(roles)];
}

async function act(db: Db, keys: Keys, argv: string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { phone: { type: 'string' }, roles: { type: 'string' } },
  });
  const [what] = positionals;
  if (what === 'list') {
    const lines = await Promise.all(
      (await listOperators(db)).map(async ({ userId, roles, state }) => {
        const user = await findUser(db, userId);
        const phone = user?.phoneSealed ? maskPhone(openPhone(keys, user.phoneSealed)) : '无手机号';
        return `${userId}\t${phone}\t${user?.nickname ?? ''}\t${state === 'active' ? roles.join('、') : '已停用'}`;
      }),
    );
    return lines.length > 0 ? lines.join('\n') : '还没有操作员';
  }
  if ((what !== 'add' && what !== 'remove') || !/^1[3-9]\d{9}$/.test(values.phone ?? '')) throw new ConfigFault(USAGE);
  const phone = values.phone ?? '';
  const by = userInfo().username;
  if (what === 'add') {
    const roles = rolesOf(values.roles);
    const user = await makeUserByPhone(db, keys, phone);
    await setOperator(db, user.id, roles, by);
    return `${maskPhone(phone)}（编号 ${user.id}，${user.nickname}）现在是操作员：${roles.join('、')}`;
  }
  const user = await findUserByPhone(db, digestPhone(keys, phone));
  if (!user) throw new ConfigFault(`没有手机号为 ${maskPhone(phone)} 的账号`);
  await setOperator(db, user.id, [], by);
  return `${maskPhone(phone)} 不再是操作员`;
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const keys = await loadKeys({
    folder: join(config.data, 'keys'),
    sessionKeys: config.sessionKeys,
    dataKey: config.dataKey,
  });
  const database = await openDatabase({ url: config.databaseUrl, folder: join(config.data, 'db') });
  try {
    process.stdout.write(`${await act(database.db, keys, process.argv.slice(2))}\n`);
  } finally {
    await database.close();
  }
}

main().catch((error: unknown) => {
  const text = error instanceof Error ? (error instanceof ConfigFault ? error.message : error.stack) : String(error);
  process.stderr.write(`${text ?? '失败'}\n`);
  process.exit(1);
});
