import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ProviderFault } from '../../lib/provider-http.ts';
import { FakeProvider, NONSENSE } from '../../testing/fake-provider.ts';
import { ANSWER_MAX, modelOf } from './model.ts';
import type { Message, Model } from './model.ts';

const provider = new FakeProvider();
beforeAll(() => provider.start());
afterAll(() => provider.stop());
beforeEach(() => {
  provider.mode = 'good';
  provider.seen.length = 0;
  provider.answers = { '/v1/chat/completions': () => ({ choices: [{ message: { content: '一句话' } }] }) };
});

const MESSAGES: Message[] = [{ role: 'user', content: '{}' }];
const model = (timeoutMs?: number): Model =>
  modelOf({ kind: 'on', url: `${provider.url}/v1/`, key: 'secret', model: 'some-model' }, timeoutMs)!;
const ask = (from: Model, signal = new AbortController().signal) => from.write(MESSAGES, [], signal);

test('a configured service is asked in the form of chat completions, and no more is sent than the messages', async () => {
  expect(await ask(model())).toBe('一句话');
  expect(provider.seen).toHaveLength(1);
  const sent = JSON.parse(provider.seen[0]!.body);
  expect(sent).toEqual({ model: 'some-model', messages: MESSAGES, max_tokens: 1200, stream: false });
  expect(provider.seen[0]!.body).not.toContain('secret');
});

test.each(NONSENSE)('a service that answers with %s is a fault of the provider', async (mode) => {
  provider.mode = mode;
  const isSilent = mode === 'hang';
  await expect(ask(model(isSilent ? 150 : undefined))).rejects.toBeInstanceOf(ProviderFault);
});

test('an answer without end is a fault', async () => {
  const content = '长'.repeat(ANSWER_MAX + 1);
  provider.answers = { '/v1/chat/completions': () => ({ choices: [{ message: { content } }] }) };
  await expect(ask(model())).rejects.toBeInstanceOf(ProviderFault);
});

test('after five failures it is left alone; being stopped by the person is no failure', async () => {
  const asked = model();
  const stopped = AbortSignal.abort(new Error('stopped'));
  for (let n = 0; n < 6; n += 1) await expect(ask(asked, stopped)).rejects.toThrow('stopped');
  expect(await ask(asked)).toBe('一句话');
  provider.mode = 'status 500';
  for (let n = 0; n < 5; n += 1) await expect(ask(asked)).rejects.toBeInstanceOf(ProviderFault);
  provider.mode = 'good';
  const before = provider.seen.length;
  await expect(ask(asked)).rejects.toMatchObject({ reason: 'paused after failures' });
  expect(provider.seen).toHaveLength(before);
});

test('off leaves the rules only', () => {
  expect(modelOf({ kind: 'off' })).toBeNull();
});
