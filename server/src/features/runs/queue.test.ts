import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairQueue } from './queue.ts';
import type { ConcurrencyLimit } from './queue.ts';

const FREE: ConcurrencyLimit = { owner: null, member: null };

/** A queue whose turns are written down; `end` ends the run that began longest ago. */
function play(most: number) {
  const queue = new FairQueue(most);
  const begun: string[] = [];
  const working: number[] = [];
  let id = 0;
  const begin = (name: string, run: number): void => {
    begun.push(name);
    working.push(run);
  };
  return {
    queue,
    begun,
    working,
    add(owner: string, member = 0, limit = FREE): number {
      id += 1;
      const [mine, name] = [id, member === 0 ? owner : `${owner}${member}`];
      if (queue.enqueue({ id: mine, owner, member, limit, start: () => begin(name, mine) })) begin(name, mine);
      return mine;
    },
    end(): void {
      const first = working.shift();
      if (first !== undefined) queue.remove(first);
    },
  };
}

test('owners take turns, however many runs one of them has', () => {
  const { add, end, begun } = play(1);
  for (let n = 0; n < 5; n += 1) add('甲');
  add('乙');
  add('丙');
  add('乙');
  for (let n = 0; n < 8; n += 1) end();
  expect(begun.join('')).toBe('甲乙丙甲乙甲甲甲');
});

test('in an enterprise its members take turns within the turns of the enterprise', () => {
  const { add, end, begun } = play(1);
  for (let n = 0; n < 3; n += 1) add('企', 1);
  add('企', 2);
  add('人');
  for (let n = 0; n < 5; n += 1) end();
  expect(begun.join(' ')).toBe('企1 人 企2 企1 企1');
});

test('an owner or member at the limit waits although there is room, and lets others pass', () => {
  const room = { owner: 3, member: 2 };
  const { add, end, begun, queue, working } = play(10);
  for (let n = 0; n < 4; n += 1) add('企', 1, room);
  add('企', 2, room);
  add('企', 3, room);
  add('人');
  expect(begun.join(' ')).toBe('企1 企1 企2 人');
  expect(queue.ids()).toHaveLength(3);
  end();
  expect(begun.at(-1)).toBe('企3');
  expect(working).toHaveLength(4);
});

test('who leaves while waiting is never called; a held queue calls nobody until it is released', () => {
  const { add, end, begun, queue } = play(1);
  add('甲');
  const gone = add('乙');
  add('丙');
  expect(queue.isWaiting(gone)).toBe(true);
  queue.remove(gone);
  queue.pause();
  end();
  expect(begun.join('')).toBe('甲');
  queue.resume();
  expect(begun.join('')).toBe('甲丙');
  queue.remove(12_345);
});

test('in any order: never more at once than allowed, everybody is served once, and none waits while there is room', () => {
  const step = fc.record({ end: fc.boolean(), owner: fc.constantFrom('甲', '乙', '丙'), member: fc.nat(2) });
  const rule = fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), (steps, most) => {
    const room = { owner: 2, member: 1 };
    const { add, end, begun, queue, working } = play(most);
    let added = 0;
    for (const one of steps) {
      if (one.end) end();
      else {
        add(one.owner, one.member + 1, room);
        added += 1;
      }
      expect(working.length).toBeLessThanOrEqual(most);
    }
    while (working.length > 0) end();
    expect(begun).toHaveLength(added);
    expect(queue.ids()).toEqual([]);
  });
  fc.assert(rule, { seed: 20_261_121, numRuns: 100 });
});

test('of a lane one run of a member works at a time, others of the same person go on', () => {
  const queue = new FairQueue(10);
  const begun: number[] = [];
  const add = (id: number, lane: string | null, member = 1): void => {
    const entry = { id, owner: 'user 1', member, limit: { owner: null, member: null }, lane };
    if (queue.enqueue({ ...entry, start: () => begun.push(id) })) begun.push(id);
  };
  add(1, 'text');
  add(2, 'text');
  add(3, null);
  add(4, 'text', 2);
  expect(begun).toEqual([1, 3, 4]);
  queue.remove(1);
  expect(begun).toEqual([1, 3, 4, 2]);
});
