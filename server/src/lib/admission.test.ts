import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Admission } from './admission.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that ends when it is told; `begun` has the names in the order they began. */
function works(admission: Admission) {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const enter = (name: string): Promise<string> =>
    admission.enter(async () => {
      begun.push(name);
      return new Promise((resolve, reject) => {
        ends.set(name, (error) => (error ? reject(error) : resolve(name)));
      });
    });
  const end = async (name: string, error?: Error): Promise<void> => {
    ends.get(name)?.(error);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { begun, enter, end };
}

test('only so many are worked on at once, the others in order of arrival as places become free', async () => {
  const { begun, enter, end } = works(new Admission(2, 1000));
  const all = ['a', 'b', 'c', 'd'].map(enter);
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(['a', 'b']);
  await end('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  // A place that went to the next in line is not there for who comes later.
  const late = enter('e');
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(['a', 'b', 'c']);
  const failed = all[0]?.catch(String);
  await end('a', new Error('broken'));
  expect(await failed).toBe('Error: broken');
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  await end('c');
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  await end('d');
  await end('e');
  expect(await Promise.all([...all.slice(1), late])).toEqual(['b', 'c', 'd', 'e']);
});

test('what takes long gives its place away once, and its end frees no second one', async () => {
  const { begun, enter, end } = works(new Admission(1, 1000));
  const all = ['a', 'b', 'c'].map(enter);
  await vi.advanceTimersByTimeAsync(999);
  expect(begun).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toEqual(['a', 'b']);
  await end('a');
  expect(begun).toEqual(['a', 'b']);
  await end('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  await end('c');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
});
