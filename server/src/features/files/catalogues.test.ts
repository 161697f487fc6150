/** A SAS catalogue added to data that were imported without it. */
import { beforeEach, expect, test } from 'vitest';
import { fileStage } from '../../testing/stages.ts';
import { call, makePerson } from '../../testing/makers.ts';
import { column, makeFile, makeUpload } from '../../testing/tables.ts';

const on = fileStage();
let { world, person, vid } = on;
beforeEach(() => {
  ({ world, person, vid } = on);
});

const LABELS = [
  { value: 1, label: '低' },
  { value: 2, label: '高' },
];

/** The engine's import notes that c3 has a format of the user's; its catalogue explains it. */
function teachFormats(labels: Record<string, unknown>, asked: unknown[] = []): void {
  const { onRun } = world.engine;
  world.engine.onRun = (run) => {
    const outcome: any = onRun?.(run);
    const facts = { formats: { 满意度: 'LEVEL' } };
    if (run.kind === 'import') outcome.result.report.warnings = [{ code: 'sas7bcat.wanted', text: '没有标签', facts }];
    return outcome;
  };
  world.engine.on('POST', '/preview', (body) => {
    asked.push(body.settings);
    return { body: { kind: 'sas7bcat', formats: Object.keys(labels), labels } };
  });
}

const edit = (of: number, catalogue: number, who = person) =>
  call(world, who, 'POST', `/v1/user/file/versions/${of}/edits`, { catalogue });

test('gives its labels to the variables of its formats, as an edit like any other', async () => {
  const asked: unknown[] = [];
  const edits: unknown[] = [];
  teachFormats({ c3: LABELS }, asked);
  world.engine.on('POST', '/tables/:key/edit', (body) => {
    edits.push(body.columns);
    const columns = [column('c3', '满意', { measure: '定类' })];
    return { body: { data: null, rows: 3, columns, sets: [], warnings: [] } };
  });
  const made = await makeFile(world, person, 'a.csv');
  const { status } = await edit(made.vid, await makeUpload(world, person, 'x', 'formats.sas7bcat'));
  expect({ status, asked }).toEqual({ status: 200, asked: [{ formats: { c3: 'LEVEL' } }] });
  expect(edits).toEqual([[{ id: 'c3', levels: LABELS, measure: '定类' }]]);
});

test('is refused where it explains nothing, is none, or belongs to somebody else', async () => {
  const catalogue = await makeUpload(world, person, 'x', 'formats.sas7bcat');
  expect((await edit(vid, catalogue)).body.msg).toContain('没有用到 SAS 的自定义格式');
  teachFormats({});
  const made = await makeFile(world, person, 'a.csv');
  expect((await edit(made.vid, catalogue)).body.msg).toBe('“formats.sas7bcat”里没有这份数据用到的格式（LEVEL）');
  expect((await edit(made.vid, await makeUpload(world, person))).body.msg).toContain('不是 SAS 的值标签目录');
  const other = await makePerson(world);
  expect((await edit(made.vid, catalogue, other)).status).toBe(404);
  const mine = await makeFile(world, other, 'b.csv');
  expect((await edit(mine.vid, catalogue, other)).status).toBe(404);
});
