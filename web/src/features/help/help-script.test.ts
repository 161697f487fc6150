import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { eventually } from '../../testing/eventually.ts';
import { tellVersion, watchFeedback, watchSearch } from './help-script.ts';

const entry = (slug: string, title: string, purpose = '') => ({
  slug,
  path: `g/${slug}`,
  title,
  english: '',
  family: '族',
  purpose,
  aliases: [],
  pinyin: [],
});
const INDEX = {
  entries: [entry('one', '频数分析', '各取值有多少'), entry('two', '卡方检验'), entry('three', '线性回归')],
  intents: [{ ask: ['两组比较'], methods: ['g/two'] }],
  synonyms: [],
};
const fetching = vi.fn<typeof fetch>();
const reply = (body: unknown, status = 200): Response => new Response(JSON.stringify(body), { status });

function open(): HTMLInputElement {
  document.body.innerHTML = `<form data-help-search data-index="/i" data-words="/w" hidden><input type="search"><button class="b">搜索</button></form>
    <p data-help-count></p><div data-help-found hidden></div>
    <div data-help-directory><details><a href="/help/two/">两组比较</a></details></div>`;
  const form = document.querySelector('form');
  const input = document.querySelector('input');
  if (!form || !input) throw new Error('no form');
  watchSearch(form);
  return input;
}
const found = () => [...document.querySelectorAll('[data-help-found] a')].map((link) => link.getAttribute('href'));
const said = () => document.querySelector('[data-help-count]')?.textContent;

beforeEach(() => {
  fetching.mockReset();
  fetching.mockImplementation(async (url) => reply(url === '/i' ? INDEX : { 载荷: [2] }));
  vi.stubGlobal('fetch', fetching);
  history.replaceState(null, '', '/help/');
});

afterEach(() => {
  document.body.innerHTML = '';
  vi.unstubAllGlobals();
  history.replaceState(null, '', '/');
});

test('a question finds its method, and says how many; ↓ goes into the list, Esc back and empties it', async () => {
  const input = open();
  await userEvent.type(input, '两组比较用什么');
  await eventually(() => expect(found()).toEqual(['/help/two/']));
  expect(said()).toBe('找到 1 页');
  await userEvent.keyboard('{ArrowDown}');
  expect(document.activeElement?.getAttribute('href')).toBe('/help/two/');
  await userEvent.keyboard('{Escape}');
  expect(document.activeElement).toBe(input);
  await userEvent.keyboard('{Escape}');
  expect([input.value, document.querySelector<HTMLElement>('[data-help-directory]')?.hidden]).toEqual(['', false]);
});

test('what only a page says is found beneath, and an address with a question answers it', async () => {
  history.replaceState(null, '', '/help/?q=载荷');
  open();
  await eventually(() => expect(found()).toEqual(['/help/three/']));
  expect(document.querySelector('[data-help-found] h2')?.textContent).toBe('正文里提到');
});

test('nothing is said kindly, with ways on, and told without a name', async () => {
  const input = open();
  await userEvent.type(input, '<img src=x>');
  await eventually(() => expect(document.querySelector('[data-help-found] p')?.textContent).toContain('没有找到'));
  expect(document.querySelector('[data-help-found] img')).toBeNull();
  expect(found()).toEqual(['/help/two/']);
  fetching.mockResolvedValueOnce(reply({ status_code: 1, data: { taken: true } }));
  const button = document.querySelector<HTMLElement>('[data-help-found] button');
  if (button) await userEvent.click(button);
  await eventually(() => expect(document.querySelector('[data-help-found] p')?.textContent).toBe('谢谢，已记下。'));
  expect(fetching.mock.lastCall?.[1]?.body).toBe(
    JSON.stringify({ slug: 'search', version: 1, verdict: 'no', reason: 'lacking', text: '<img src=x>' }),
  );
});

test('an index that does not load leaves the directory, and is asked for again', async () => {
  fetching.mockRejectedValue(new Error('offline'));
  const input = open();
  await userEvent.type(input, '卡');
  await eventually(() => expect(said()).toBe('搜索暂时不可用，可按目录查找。'));
  expect(document.querySelector<HTMLElement>('[data-help-directory]')?.hidden).toBe(false);
  fetching.mockImplementation(async (url) => reply(url === '/i' ? INDEX : {}));
  await userEvent.type(input, '方');
  await eventually(() => expect(found()).toEqual(['/help/two/']));
});

test.each([
  ['?v=2', true],
  ['?v=3', false],
  ['?v=4', false],
  ['?v=-1', false],
  ['?v=1e0', false],
  ['', false],
])('a report of %s is told that the page is newer: %s', (search, isTold) => {
  const note = document.createElement('p');
  note.dataset['version'] = '3';
  note.hidden = true;
  tellVersion(note, search);
  expect([note.hidden, note.textContent?.startsWith('你的报告用的是版本 2，这一页讲的是版本 3')]).toEqual([
    !isTold,
    isTold,
  ]);
});

test('whether a page helped: one click, or a reason; a failure keeps what was written', async () => {
  document.body.innerHTML = `<section data-help-feedback="one" data-version="3" hidden>
    <button data-verdict="yes">有</button><button data-verdict="no">没解决</button>
    <form hidden><input type="radio" name="reason" value="wrong"><textarea name="text"></textarea><button>提交</button></form>
    <p data-told></p></section>`;
  const section = document.querySelector('section');
  if (!section) throw new Error('no section');
  watchFeedback(section);
  const [, no, submit] = section.querySelectorAll('button');
  const text = section.querySelector('textarea');
  const reason = section.querySelector('input');
  if (!no || !submit || !text || !reason) throw new Error('no form');
  await userEvent.click(no);
  await userEvent.click(reason);
  await userEvent.type(text, '公式少了平方');
  fetching.mockResolvedValueOnce(reply({ status_code: 0, msg: '今天已经很多次了。' }, 429));
  await userEvent.click(submit);
  await eventually(() => expect(section.querySelector('[data-told]')?.textContent).toContain('今天已经很多次了。'));
  expect(text.value).toBe('公式少了平方');
  fetching.mockResolvedValueOnce(reply({ status_code: 1, data: { taken: true } }));
  await userEvent.click(submit);
  await eventually(() => expect(section.textContent).toBe('谢谢，已记下。'));
  expect(fetching.mock.lastCall?.[1]?.body).toBe(
    JSON.stringify({ slug: 'one', version: 3, verdict: 'no', reason: 'wrong', text: '公式少了平方' }),
  );
});
