/** Every field type, drawn from a declaration as the engine writes it. */
import type { Field } from '@hengxi/contracts/contract';
import type { FieldFault } from '@hengxi/contracts/http';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import { useBoxes, VariableBoxes } from './boxes/variable-boxes.tsx';
import type { Form } from './form.ts';
import type { FormTools } from './form-context.tsx';
import { MethodField } from './method-field.tsx';
import { COMMON, GROUP, Harness, OUTCOME } from './testing/harness.tsx';

// Typing into antd takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

interface Shown {
  form: () => Form;
  said: string[];
}

function show(
  field: Field,
  start: Form = {},
  more: {
    others?: Field[];
    faults?: FieldFault[];
    resolved?: Form;
    selection?: string[];
    tools?: Partial<FormTools>;
  } = {},
): Shown {
  let last = start;
  const said: string[] = [];
  render(
    <Harness
      fields={[...(more.others ?? []), field]}
      start={start}
      faults={more.faults ?? []}
      {...(more.resolved === undefined ? {} : { resolved: more.resolved })}
      selection={more.selection ?? []}
      tools={more.tools ?? {}}
      onForm={(form) => {
        last = form;
      }}
      onSay={(text) => said.push(text)}
    >
      {(form) => (
        <VariableBoxes onOpen={() => undefined}>
          <MethodField field={field} value={form[field.key]} />
          <List ids={more.selection ?? []} />
        </VariableBoxes>
      )}
    </Harness>,
  );
  return { form: () => last, said };
}

/** Stands for the variable list: what its Enter and its double click call. */
function List({ ids }: { ids: readonly string[] }) {
  const { send } = useBoxes();
  return (
    <button type="button" onClick={() => send(ids)}>
      放入合适的框
    </button>
  );
}

const choice = (more: Partial<Extract<Field, { type: 'choice' }>> = {}): Field => ({
  ...COMMON,
  key: 'test',
  title: '检验形式',
  type: 'choice',
  default: 'welch',
  options: [
    { key: 'welch', title: 'Welch', hint: null, unless: null, why: null },
    {
      key: 'student',
      title: '等方差',
      hint: null,
      unless: [[{ field: 'y', test: 'filled' }]],
      why: '只在没有因变量时可用',
    },
  ],
  ...more,
});

describe('role', () => {
  test('shows its needs, takes the selection by Enter on the box and says so', async () => {
    const user = userEvent.setup();
    const shown = show(GROUP, { group: null }, { selection: ['c1'] });
    expect(screen.getByText('定类 · 正好 1 个')).toBeTruthy();
    screen.getByRole('group', { name: /分组变量X/ }).focus();
    await user.keyboard('{Enter}');
    expect(shown.form()).toEqual({ group: 'c1' });
    expect(shown.said).toEqual(['已将“性别”加入分组变量X，1/1']);
    expect(screen.getByText('男 40 · 女 58')).toBeTruthy();
  });
  test('the arrow button does the same, and a misfit opens its remedies', async () => {
    const user = userEvent.setup();
    const retype = vi.fn<FormTools['retype']>();
    const shown = show(OUTCOME, { y: [] }, { selection: ['c1'], tools: { retype } });
    await user.click(screen.getByRole('button', { name: '把所选变量放入检验变量Y' }));
    expect(shown.form()).toEqual({ y: [] });
    expect(screen.getByRole('alert').textContent).toContain('“性别”是文字选项，这里要数值');
    expect(screen.queryByRole('button', { name: '改为定量' })).toBeNull();
    expect(retype).not.toHaveBeenCalled();
  });
  test('answers of a scale are offered as scores, in the order that is shown', async () => {
    const user = userEvent.setup();
    const retype = vi.fn<FormTools['retype']>();
    show(OUTCOME, { y: [] }, { selection: ['c2'], tools: { retype } });
    await user.click(screen.getByRole('button', { name: '把所选变量放入检验变量Y' }));
    await user.click(screen.getByRole('button', { name: '按 1–3 计分（1 大一 … 3 大三）' }));
    expect(retype).toHaveBeenCalledWith(['c2'], '定量', { y: ['c2'] });
  });
  test('sent from the list without a box, a misfit is told the reason and the ways out of a drop', async () => {
    const user = userEvent.setup();
    const remedy = vi.fn<FormTools['remedy']>();
    const bins = { title: '分成几段', step: 'data_processing/binning', columns: ['c3'] };
    const fault: FieldFault = {
      field: 'group',
      code: 'role.measure',
      text: '“分组变量X”需要定类变量；“运动时长”是定量',
      column: 'c3',
      remedies: [bins, { title: '改做相关分析', method: 'descriptive/correlation', carry: [] }],
    };
    show(GROUP, { group: null }, { selection: ['c3'], tools: { remedy, probe: async () => [fault] } });
    await user.click(screen.getByRole('button', { name: '放入合适的框' }));
    expect(screen.getByRole('alert').textContent).toContain('“运动时长（小时）”是定量，有 60 个不同取值');
    expect(await screen.findByRole('button', { name: '改做相关分析' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: '分成几段' }));
    expect(remedy).toHaveBeenCalledWith(bins, fault);
  });
  test('Delete takes out, Alt+arrows reorder', async () => {
    const user = userEvent.setup();
    const shown = show(OUTCOME, { y: ['c3', 'c4'] });
    screen.getAllByRole('button', { name: /运动时长/ })[0]?.focus();
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    expect(shown.form()).toEqual({ y: ['c4', 'c3'] });
    await user.keyboard('{Delete}');
    expect((shown.form()['y'] as string[]).length).toBe(1);
  });
  test('a fault of the engine stands in place, with buttons that act', async () => {
    const user = userEvent.setup();
    const remedy = vi.fn<FormTools['remedy']>();
    const fault: FieldFault = {
      field: 'group',
      code: 'role.levels',
      text: '“年级”有 3 个类别',
      remedies: [{ title: '选其中两组', set: { groups: ['大一', '大二'] } }],
    };
    show(GROUP, { group: 'c2' }, { faults: [fault], tools: { remedy } });
    expect(screen.getByText('“年级”有 3 个类别')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: '选其中两组' }));
    expect(remedy).toHaveBeenCalledWith(fault.remedies?.[0], fault);
  });
});

test('weight: a slot, removable', async () => {
  const user = userEvent.setup();
  const weight: Field = {
    ...COMMON,
    key: 'w',
    title: '频数权重',
    type: 'weight',
    kind: 'frequency',
    whole: true,
    required: false,
  };
  const shown = show(weight, { w: 'c7' });
  expect(screen.getByText('压力')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: '取消加权' }));
  expect(shown.form()).toEqual({ w: null });
});

describe('level', () => {
  const level = (more: Partial<Extract<Field, { type: 'level' }>>): Field => ({
    ...COMMON,
    key: 'l',
    title: '比较的两组',
    type: 'level',
    of: ['group'],
    many: [2, 2],
    ordered: true,
    typed: false,
    alone: false,
    ...more,
  });
  test('picked with counts; a third pick takes the place of the last; the direction can be swapped', async () => {
    const user = userEvent.setup();
    const shown = show(level({}), { group: 'c2' }, { others: [GROUP] });
    await user.click(screen.getByRole('button', { name: /大一\s*30/ }));
    await user.click(screen.getByRole('button', { name: /大三/ }));
    expect(shown.form()['l']).toEqual(['大一', '大三']);
    await user.click(screen.getByRole('button', { name: /大二/ }));
    expect(shown.form()['l']).toEqual(['大一', '大二']);
    await user.click(screen.getByRole('button', { name: /交换方向/ }));
    expect(shown.form()['l']).toEqual(['大二', '大一']);
  });
  test('without a variable it says what to do first', () => {
    show(level({}), { group: null }, { others: [GROUP] });
    expect(screen.getByText('放入变量后在这里选')).toBeTruthy();
  });
  test('of a variable without categories it says the way out', () => {
    show(level({}), { group: 'c3' }, { others: [GROUP] });
    expect(screen.getByText('这个变量不是分类的：分成几段，或换一个')).toBeTruthy();
  });
  test('an automatic level names what the engine took', () => {
    show(
      level({ many: null, ordered: false, auto: { rule: 'last', title: '末水平' } }),
      { group: 'c1' },
      { others: [GROUP], resolved: { group: 'c1', l: '女' } },
    );
    expect(screen.getByText('自动：女')).toBeTruthy();
  });
});

test('settings: a row for each categorical variable of the other field', async () => {
  const user = userEvent.setup();
  const settings: Field = {
    ...COMMON,
    key: 'ref',
    title: '参照水平',
    type: 'settings',
    of: 'x',
    also: [],
    by: 'column',
    measure: '定类',
    cells: [
      {
        ...COMMON,
        key: 'level',
        title: '参照',
        type: 'level',
        of: [],
        many: null,
        ordered: false,
        typed: false,
        alone: false,
        auto: { rule: 'first', title: '首水平' },
      },
    ],
  };
  const shown = show(settings, { x: ['c3', 'c1'] }, { others: [{ ...OUTCOME, key: 'x', measure: '任意' }] });
  expect(screen.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['性别']);
  await user.click(screen.getByRole('combobox', { name: '性别：参照' }));
  await user.click(await screen.findByText('女'));
  expect(shown.form()['ref']).toEqual([{ for: 'c1', level: '女' }]);
});

describe('terms', () => {
  const terms: Field = {
    ...COMMON,
    key: 't',
    title: '模型项',
    type: 'terms',
    of: ['x'],
    order: 3,
    presets: ['main', 'two_way', 'full', 'custom'],
  };
  test('one click for the usual models; one’s own starts from what was shown', async () => {
    const user = userEvent.setup();
    const shown = show(terms, { x: ['c3', 'c1'] }, { others: [{ ...OUTCOME, key: 'x', measure: '任意' }] });
    await user.click(screen.getByText('两两交互'));
    expect(shown.form()['t']).toEqual({ preset: 'two_way' });
    expect(screen.getByText('运动时长（小时）×性别')).toBeTruthy();
    await user.click(screen.getByText('自定义'));
    expect(shown.form()['t']).toEqual({ preset: 'custom', terms: [['c3'], ['c1'], ['c3', 'c1']] });
    await user.click(screen.getByRole('button', { name: '去掉项 运动时长（小时）×性别' }));
    expect(shown.form()['t']).toEqual({ preset: 'custom', terms: [['c3'], ['c1']] });
  });
});

test('cases: a new row starts from a typical observation', async () => {
  const user = userEvent.setup();
  const cases: Field = { ...COMMON, key: 'c', title: '试算', type: 'cases', of: ['x'], max: 2 };
  const shown = show(cases, { x: ['c3', 'c1'] }, { others: [{ ...OUTCOME, key: 'x', measure: '任意' }] });
  await user.click(screen.getByRole('button', { name: /加一行/ }));
  expect(shown.form()['c']).toEqual([{ c3: 3.3, c1: '女' }]);
  const cell = screen.getByRole('textbox', { name: '第 1 行 运动时长（小时）' });
  await user.clear(cell);
  await user.type(cell, '４．５');
  expect(shown.form()['c']).toEqual([{ c3: 4.5, c1: '女' }]);
});

describe('choice', () => {
  test('a segmented control while it fits; greyed options say why', async () => {
    const user = userEvent.setup();
    const shown = show(choice(), {});
    await user.click(screen.getByText('等方差'));
    expect(shown.form()).toEqual({ test: 'student' });
  });
  test('greyed while its condition holds', () => {
    show(choice(), { y: ['c3'] }, { others: [OUTCOME] });
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '等方差' }).disabled).toBe(true);
  });
  test('a list when there are many, with the automatic choice first', async () => {
    const user = userEvent.setup();
    const options = ['经典', 'HC0', 'HC1', 'HC2', 'HC3'].map((title) => ({
      key: title,
      title,
      hint: null,
      unless: null,
      why: null,
    }));
    const shown = show(choice({ options, default: null, auto: { rule: 'detect', title: '自动识别' } }));
    await user.click(screen.getByRole('combobox', { name: '检验形式' }));
    await user.click(await screen.findByText('HC2'));
    expect(shown.form()).toEqual({ test: 'HC2' });
  });
});

test('many: kept in the order of the declaration', async () => {
  const user = userEvent.setup();
  const options = ['n', 'mean', 'sd'].map((key) => ({ key, title: key, hint: null, unless: null, why: null }));
  const shown = show({ ...COMMON, key: 'm', title: '统计量', type: 'many', options, default: ['sd'], min: 0, max: 2 });
  await user.click(screen.getByRole('checkbox', { name: 'n' }));
  expect(shown.form()).toEqual({ m: ['n', 'sd'] });
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'mean' }).disabled).toBe(true);
});

describe('number and integer', () => {
  const number: Field = {
    ...COMMON,
    key: 'n',
    title: '置信水平',
    type: 'number',
    default: 0.95,
    least: 0.5,
    most: 0.999,
    above: null,
    below: null,
    unit: '%',
    percent: true,
  };
  test('a percent is shown, the fraction travels; arrows stop at the limits, typing does not', async () => {
    const user = userEvent.setup();
    const shown = show(number, {});
    const field = screen.getByRole('textbox', { name: '置信水平' }) as HTMLInputElement;
    expect(field.value).toBe('95');
    await user.clear(field);
    await user.type(field, '99．9');
    expect(shown.form()).toEqual({ n: 0.999 });
    await user.keyboard('{ArrowUp}');
    expect(shown.form()).toEqual({ n: 0.999 });
    await user.clear(field);
    await user.type(field, '30%');
    expect(shown.form()).toEqual({ n: 0.3 });
  });
  test('a whole number, empty where the engine decides', async () => {
    const user = userEvent.setup();
    const shown = show(
      {
        ...COMMON,
        key: 'k',
        title: '滞后阶',
        type: 'integer',
        default: null,
        least: 0,
        most: 50,
        unit: null,
        auto: { rule: null, title: '按样本量' },
      },
      {},
      { resolved: { k: 4 } },
    );
    const field = screen.getByRole('textbox', { name: '滞后阶' }) as HTMLInputElement;
    expect(field.placeholder).toBe('4（自动）');
    await user.type(field, '7');
    expect(shown.form()).toEqual({ k: 7 });
    await user.clear(field);
    expect(shown.form()).toEqual({ k: null });
  });
});

test('flag', async () => {
  const user = userEvent.setup();
  const shown = show({ ...COMMON, key: 'f', title: '包含截距', type: 'flag', default: true });
  await user.click(screen.getByRole('switch', { name: '包含截距' }));
  expect(shown.form()).toEqual({ f: false });
});

test('words', async () => {
  const user = userEvent.setup();
  const shown = show({
    ...COMMON,
    key: 'w',
    title: '新变量名',
    type: 'words',
    kind: 'name',
    default: null,
    longest: 5,
  });
  await user.type(screen.getByRole('textbox', { name: '新变量名' }), '得分甲乙丙丁');
  expect(shown.form()).toEqual({ w: '得分甲乙丙' });
});

describe('numbers', () => {
  const numbers = (more: Partial<Extract<Field, { type: 'numbers' }>>): Field => ({
    ...COMMON,
    key: 'q',
    title: '分位点',
    type: 'numbers',
    default: [0.5],
    names: null,
    whole: false,
    least: null,
    most: null,
    above: 0,
    below: 1,
    min: 1,
    max: null,
    increasing: true,
    start: null,
    ...more,
  });
  test('chips; a series by its ends; always rising where asked', async () => {
    const user = userEvent.setup();
    const shown = show(numbers({}));
    await user.type(screen.getByRole('textbox', { name: '加入分位点' }), '0.1：0.1：0.3{Enter}');
    expect(shown.form()).toEqual({ q: [0.1, 0.2, 0.3, 0.5] });
    await user.click(screen.getByRole('button', { name: '去掉 0.2' }));
    expect(shown.form()).toEqual({ q: [0.1, 0.3, 0.5] });
  });
  test('one input for each name', async () => {
    const user = userEvent.setup();
    const shown = show(numbers({ names: ['p', 'd'], default: [1, 0], whole: true }));
    const box = within(screen.getByRole('group', { name: '分位点' })).getByRole('textbox', { name: '分位点 d' });
    await user.clear(box);
    await user.type(box, '2');
    expect(shown.form()).toEqual({ q: { p: 1, d: 2 } });
  });
});
