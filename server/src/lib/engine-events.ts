/** The engine's stream of events as bytes: lines, and what each of them says. */
import { keepText } from './json-text.ts';

const NEWLINE = 10;

/** Whole lines of a stream; what comes after the last one is no event. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  for await (const part of stream) {
    let rest = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      yield Buffer.concat([...held, rest.subarray(0, end)]);
      held = [];
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) held.push(rest);
  }
}

/** Where the report of an event stands, as the engine writes it: its result is nothing else. */
const BEFORE = Buffer.from('"result":{"report":');
const AFTER = Buffer.from('},"refusal":');

/** An event; a report in it keeps its text, so that nobody has to write it again. */
export function readEvent(line: Buffer): unknown {
  return readApart(line) ?? JSON.parse(line.toString('utf8'));
}

/** Null where the line is made up in another way. Neither mark can stand within a text, where quotes are escaped. */
function readApart(line: Buffer): unknown {
  const before = line.indexOf(BEFORE);
  const end = line.lastIndexOf(AFTER);
  const begin = before + BEFORE.length;
  if (before < 0 || end < begin) return null;
  const text = line.subarray(begin, end);
  try {
    const report: unknown = JSON.parse(text.toString('utf8'));
    if (typeof report !== 'object' || report === null) return null;
    const around: unknown = JSON.parse(
      `${line.toString('utf8', 0, before)}"result":null${line.toString('utf8', end + 1)}`,
    );
    return { ...(around as object), result: { report: keepText(report, text) } };
  } catch {
    return null;
  }
}
