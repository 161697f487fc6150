import { expect, test } from 'vitest';
import { createLocalQueue, outcomeAs } from './local-jobs.ts';
import type { LocalContext } from './local-jobs.ts';
import type { Outcome, RunRow } from './service.ts';

const run = (id: number): RunRow => ({ id }) as RunRow;
const DONE: Outcome = outcomeAs('done');

/** A queue whose work is ended by the test. */
function queue(most: number, timeoutMs = 60_000) {
  const log: string[] = [];
  const hands = new Map<number, LocalContext>();
  const finish = new Map<number, { done: () => void; fail: (error: Error) => void }>();
  const local = createLocalQueue(most, {
    onWaiting: async (id, position) => void log.push(`${id} waits ${position}`),
    onRunning: async (id, progress) => void log.push(`${id} runs${progress ? ` ${progress.done}/${progress.of}` : ''}`),
    onEnd: async (id, { state }) => void log.push(`${id} ${state}`),
    onError: (id) => {
      log.push(`${id} broke`);
      return outcomeAs('failed');
    },
  });
  const work = ({ id }: RunRow, hand: LocalContext): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      hands.set(id, hand);
      finish.set(id, { done: () => resolve(DONE), fail: reject });
      hand.signal.addEventListener('abort', () => reject(new Error('stopped')));
    });
  const submit = (id: number): void => local.submit(run(id), { work, timeoutMs }, { owner: null, member: null });
  return { local, log, hands, finish, submit };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('no more work at once than allowed; the others hear how many stand before them', async () => {
  const { submit, log, finish } = queue(1);
  for (const id of [1, 2, 3]) submit(id);
  await settled();
  expect(log).toEqual(['1 runs', '2 waits 0', '2 waits 0', '3 waits 1']);
  finish.get(1)?.done();
  await settled();
  expect(log.slice(4)).toEqual(['1 done', '2 runs', '3 waits 0']);
});

test('progress is passed on; what breaks has failed, and the next begins', async () => {
  const { submit, log, hands, finish } = queue(1);
  submit(1);
  submit(2);
  await settled();
  hands.get(1)?.progress({ done: 1, of: 4, text: '' });
  finish.get(1)?.fail(new Error('bug'));
  await settled();
  expect(log).toEqual(['1 runs', '2 waits 0', '1 runs 1/4', '1 broke', '1 failed', '2 runs']);
});

test('a cancelled run is taken out of the queue, or its work is stopped, which is no bug', async () => {
  const { local, submit, log, hands } = queue(1);
  submit(1);
  submit(2);
  await settled();
  local.cancel(2);
  local.cancel(1);
  await settled();
  expect(hands.get(1)?.signal.aborted).toBe(true);
  expect(hands.has(2)).toBe(false);
  expect(log).toEqual(['1 runs', '2 waits 0', '1 cancelled']);
});

test('work that takes too long is stopped and said to be so', async () => {
  const { submit, log } = queue(1, 1);
  submit(1);
  await expect.poll(() => log).toEqual(['1 runs', '1 timeout']);
});

test('a stopping server ends what waits and what works as interrupted', async () => {
  const { local, submit, log, hands } = queue(1);
  submit(1);
  submit(2);
  await settled();
  log.length = 0;
  await local.close();
  // The work that is stopped ends once more, which changes nothing: a run ends once.
  expect(log.slice(0, 2)).toEqual(['2 lost', '1 lost']);
  expect(hands.get(1)?.signal.aborted).toBe(true);
});
