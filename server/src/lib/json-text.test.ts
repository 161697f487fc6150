import { expect, test } from 'vitest';
import { linesOf, readEvent } from './engine-events.ts';
import { answerText, keepText, textOf, withString } from './json-text.ts';

const parsed = (text: string | Buffer): unknown => JSON.parse(text.toString());
/** Its text says what no writer of JSON would say by itself. */
const TEXT = '{"parts": [1.50, "报\\"告"]}';
const kept = (text: string | Buffer = TEXT): { parts: unknown[] } =>
  keepText(JSON.parse(text.toString()) as { parts: unknown[] }, text);

test('an object read from JSON goes on as the text it came as; one that was changed is written anew', () => {
  const one = kept();
  expect(textOf(one)).toBe(TEXT);
  expect(textOf({ ...one })).toBe('{"parts":[1.5,"报\\"告"]}');
});

test.each([
  ['text', TEXT],
  ['bytes', Buffer.from(TEXT)],
  ['nothing yet', '{}'],
])('a string is added to the object and to its %s alike', (_, text) => {
  const more = withString(kept(text), 'made_at', '今"天');
  expect(more.made_at).toBe('今"天');
  expect(parsed(textOf(more))).toEqual({ ...more });
  expect(parsed(textOf(withString(more, 'made_at', '明天')))).toEqual({ ...more, made_at: '明天' });
});

test('an answer holds the text of a part as it is, and says the same as it would without', () => {
  const report = withString(kept(Buffer.from(TEXT)), 'made_at', 'x');
  const answer = { status_code: 1, data: { state: 'done', report, rev: 1, nothing: undefined } };
  const text = answerText(answer);
  expect(text.toString()).toContain(TEXT.slice(0, -1));
  expect(parsed(text)).toEqual({ status_code: 1, data: { state: 'done', report, rev: 1 } });
  expect(parsed(answerText({ data: { report } }))).toEqual({ data: { report } });
});

test.each([
  [{ status_code: 1, data: null }],
  [{ status_code: 1, data: [{ a: 1 }] }],
  [{ status_code: 0, msg: '无' }],
  [{ data: { a: { b: 1 } } }],
])('any other answer is written as ever: %j', (answer) => expect(answerText(answer)).toBe(JSON.stringify(answer)));

const event = (report: string): string =>
  `{"run_id":7,"seq":3,"state":"done","position":null,"progress":null,"result":{"report":${report}},"refusal":null,"error":null}`;

test('a report in an event keeps its text, whatever words it has', () => {
  const report = '{"parts":[1.50],"title":"\\"result\\":{\\"report\\":1},\\"refusal\\":2"}';
  const read = readEvent(Buffer.from(event(report))) as { result: { report: object } };
  expect(read).toEqual(JSON.parse(event(report)));
  expect(textOf(read.result.report).toString()).toBe(report);
});

test.each([
  ['another order', '{"result":{"report":{"a":1}},"run_id":7,"refusal":null}'],
  ['more beside the report', event('{"a":1},"more":{"b":2}')],
  ['no report', '{"run_id":7,"state":"running","result":null,"refusal":null}'],
  ['a report that is none', event('12')],
])('an event is read whole where it is made up otherwise: %s', (_, text) => {
  expect(readEvent(Buffer.from(text))).toEqual(JSON.parse(text));
});

test('half an event is none', () => {
  expect(() => readEvent(Buffer.from(event('{"a":1}').slice(0, -5)))).toThrow('JSON');
});

test('lines are found wherever a stream is cut, also within a letter', async () => {
  const bytes = Buffer.from('一\n\n二三\n四');
  for (let size = 1; size <= bytes.length; size += 1) {
    async function* stream(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    const lines: string[] = [];
    for await (const line of linesOf(stream())) lines.push(line.toString('utf8'));
    expect(lines).toEqual(['一', '', '二三']);
  }
});
