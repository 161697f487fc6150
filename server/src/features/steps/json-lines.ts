/** In which line of a JSON text something stands, so that what is wrong in it can be found by a person. */

interface Frame {
  isList: boolean;
  /** The place in a list, or the key that was read last. */
  key: string;
  /** Of an object: a key comes next, not a value. */
  awaitsKey: boolean;
  /** The container itself lies on the path that is looked for. */
  isOnPath: boolean;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gu;

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

const unquoted = (token: string): string => {
  const read: unknown = JSON.parse(token);
  return String(read);
};

/** The line (from 1) of what stands at a path; where it is not there, of the nearest thing around it. `text` is JSON. */
export function lineAt(text: string, path: readonly PropertyKey[]): number {
  const frames: Frame[] = [];
  let best = { depth: 0, at: 0 };
  let keyAt = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const frame = frames.at(-1);
    if (token === ']' || token === '}') {
      frames.pop();
      continue;
    }
    if (token === ':') continue;
    if (token === ',') {
      if (frame?.isList) frame.key = String(Number(frame.key) + 1);
      else if (frame) frame.awaitsKey = true;
      continue;
    }
    if (frame?.awaitsKey) {
      frame.key = unquoted(token);
      frame.awaitsKey = false;
      keyAt = index;
      continue;
    }
    const depth = frames.length;
    const isOnPath = frame === undefined || (frame.isOnPath && String(path[depth - 1]) === frame.key);
    // Of a key that is written twice the last one counts, as for JSON itself.
    if (isOnPath && depth >= best.depth) best = { depth, at: frame && !frame.isList ? keyAt : index };
    if (token === '[' || token === '{')
      frames.push({ isList: token === '[', key: '0', awaitsKey: token === '{', isOnPath });
  }
  return lineOf(text, best.at);
}

const POSITION = /position (\d+)/u;

/** The line where the text stops being JSON, as the parser tells it; null where it does not. */
export function brokenLine(text: string, error: unknown): number | null {
  const at = error instanceof Error ? POSITION.exec(error.message)?.[1] : undefined;
  if (at !== undefined) return lineOf(text, Number(at));
  return error instanceof Error && error.message.includes('end of JSON') ? lineOf(text, text.length) : null;
}
