/** The sample invoice through the real browser: one page, its text is text, and it says that it is none. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { readDocument } from '../../testing/documents.ts';
import { call, makePerson } from '../../testing/makers.ts';
import { cashier, orderNo } from '../../testing/money.ts';

let world: World;
beforeAll(async () => {
  world = await build();
});
afterAll(() => world.close());

test('a sample is issued, downloaded, and clearly none', { timeout: 180_000 }, async () => {
  const person = await makePerson(world);
  const no = await orderNo(world, person);
  await cashier(world, no);
  const asked = await call(world, person, 'POST', '/v1/user/orders/invoice', {
    order_no: no,
    kind: 'person',
    title: '张三 <b>&',
    email: 'a@b.cn',
  });
  const { id } = asked.data;
  const { invoices } = world.money.orders;
  const made = await invoices.sample(id);
  const { after } = await world.db.transaction((tx) => invoices.issue(tx, id, 1, made));
  expect(after).toMatchObject({ state: 'issued', number: `SAMPLE${String(id).padStart(8, '0')}` });
  const shown = (await call(world, person, 'GET', `/v1/user/orders/invoice/${id}`)).data;
  expect(shown).toMatchObject({ has_file: true, is_sample: true });
  const folder = mkdtempSync(join(tmpdir(), 'hengxi-sample-'));
  const back = readDocument(folder, { bytes: made.pdf, extension: '.pdf' });
  rmSync(folder, { recursive: true });
  expect(back.pages).toHaveLength(1);
  const text = back.pages[0].replaceAll(/\s/g, '');
  for (const said of ['沙箱票样，非有效发票', '张三<b>&', '¥39.00']) expect(text).toContain(said);
});
