import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../testing/build.ts';
import type { World } from '../../testing/build.ts';
import { call } from '../../testing/makers.ts';

const repository = join(import.meta.dirname, '../../../..');
/** A real declaration with the names of a method that does not exist. */
const declaration = {
  ...JSON.parse(
    readFileSync(join(repository, 'contracts/generated/methods/hypothesis_test/independent_t_test.json'), 'utf8'),
  ),
  group: 'hypothesis_test',
  key: 'toy_test',
  wire: 'hypothesis_test/toy_test',
  path: 'hypothesis_test/toy_test',
  slug: 'toy-test',
  title: '玩具检验',
  title_en: 'Toy test',
  family: '差异性分析',
  tier: 'member',
  purpose: '只为测试',
  needs: '1 定量',
  version: 3,
  help: {
    doc_link: '/help/toy-test/',
    video_link: null,
    iframe_video_link: null,
    display_name: '玩具检验',
    example_data: '/data/toy-test.csv',
  },
};
const oracle = {
  sources: ['R 4.2.2'],
  cases: [
    { name: '双侧', form: { variables: ['牙长'] }, expect: [{ table: 'result', cells: { t: -1.86 } }], says: ['差异'] },
  ],
  unverified: [],
};

let world: World;
const root = mkdtempSync(join(tmpdir(), 'hengxi-help-'));
beforeAll(async () => {
  const generated = join(root, 'contracts/generated/methods/hypothesis_test');
  const folder = join(root, 'engine/hengxi/methods/hypothesis_test/toy_test');
  for (const path of [generated, folder]) mkdirSync(path, { recursive: true });
  writeFileSync(join(generated, 'toy_test.json'), JSON.stringify(declaration));
  writeFileSync(join(folder, 'help.md'), '## 用途\n说明');
  writeFileSync(join(folder, 'example.csv'), '牙长\n4.2\n');
  writeFileSync(join(folder, 'oracle.json'), JSON.stringify(oracle));
  world = await build({ config: { root } });
});
afterAll(async () => {
  await world.close();
  rmSync(root, { recursive: true });
});

describe('help', () => {
  test('gives declaration, text, record and reference cases without sign-in', async () => {
    const { data } = await call(world, null, 'GET', '/v1/help/toy-test');
    expect(data).toEqual({
      slug: 'toy-test',
      path: 'hypothesis_test/toy_test',
      title: '玩具检验',
      title_en: 'Toy test',
      family: '差异性分析',
      tier: 'member',
      purpose: '只为测试',
      needs: '1 定量',
      version: 3,
      record: declaration.help,
      text: '## 用途\n说明',
      declaration,
      oracle: { cases: 1, sources: ['R 4.2.2'], list: [{ ...oracle.cases[0], data: 'example.csv' }] },
    });
  });

  test('gives the example as a file', async () => {
    const file = await call(world, null, 'GET', '/data/toy-test.csv');
    expect(file.text).toBe('牙长\n4.2\n');
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="toy-test.csv"',
    });
  });

  test('knows nothing else, and nothing outside its folders', async () => {
    expect((await call(world, null, 'GET', '/v1/help/nonsense')).status).toBe(404);
    expect((await call(world, null, 'GET', '/data/nonsense.csv')).status).toBe(404);
    // A method with a table has no example to fill in.
    expect((await call(world, null, 'GET', '/data/toy-test.json')).status).toBe(404);
    for (const path of ['/v1/help/..%2F..%2Fetc', '/data/..%2Foracle.csv', '/data/toy-test.xlsx'])
      expect((await call(world, null, 'GET', path)).status).toBe(400);
  });

  test('lists the methods in short', async () => {
    const { data } = await call(world, null, 'GET', '/v1/help');
    expect(data).toMatchObject({ total: 1, list: [{ slug: 'toy-test', title: '玩具检验', needs: '1 定量' }] });
    expect(data.list[0]).not.toHaveProperty('fields');
  });

  test('counts methods and formats', async () => {
    const { data } = await call(world, null, 'GET', '/v1/index/statistics');
    expect(data).toMatchObject({ methods: 1, member_methods: 1 });
    expect(data.formats).toEqual(expect.arrayContaining(['csv', 'xlsx', 'sav', 'dta', 'parquet']));
  });
});
