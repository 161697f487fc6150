/**
 * What comes as JSON and goes on as JSON keeps its text: a report of a thousand rows is half a megabyte, and writing it
 * anew for the database and once more for the answer took longer than everything else. The text belongs to the very
 * object that was read from it; whoever changes a value makes a new one, which has none.
 */
const texts = new WeakMap<object, string | Buffer>();

/** States that an object is what this JSON says. */
export function keepText<T extends object>(value: T, text: string | Buffer): T {
  texts.set(value, text);
  return value;
}

/** JSON of a value, as it came where that is known. */
export const textOf = (value: object): string | Buffer => texts.get(value) ?? JSON.stringify(value);

/** The same object with one more string in it, and its text with it where that is known. */
export function withString<T extends object, K extends string>(value: T, key: K, text: string): T & Record<K, string> {
  const more = { ...value, [key]: text } as T & Record<K, string>;
  const known = texts.get(value);
  if (known === undefined || key in value) return more;
  const end = `${isEmpty(known) ? '' : ','}${JSON.stringify(key)}:${JSON.stringify(text)}}`;
  return keepText(
    more,
    typeof known === 'string' ? known.slice(0, -1) + end : Buffer.concat([known.subarray(0, -1), Buffer.from(end)]),
  );
}

const isEmpty = (text: string | Buffer): boolean => text.length === 2;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The JSON of an answer. A part of its data whose text is known is put in as it is, at the end. */
export function answerText(answer: unknown): string | Buffer {
  const data: unknown = isObject(answer) && 'data' in answer ? answer.data : null;
  if (!isObject(answer) || !isObject(data) || Array.isArray(data)) return JSON.stringify(answer);
  for (const [key, part] of Object.entries(data)) {
    const known = isObject(part) ? texts.get(part) : undefined;
    if (known === undefined) continue;
    const begin = opened({ ...answer, data: undefined }, 'data') + opened({ ...data, [key]: undefined }, key);
    return Buffer.concat([Buffer.from(begin), Buffer.from(known), Buffer.from('}}')]);
  }
  return JSON.stringify(answer);
}

/** JSON of an object up to the value of a further key. */
function opened(rest: object, key: string): string {
  const text = JSON.stringify(rest);
  return `${text.slice(0, -1)}${isEmpty(text) ? '' : ','}${JSON.stringify(key)}:`;
}
