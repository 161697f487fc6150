/** What an import asks when a column can be read in more than one way, and what a refused one offers. */
import { ApiError } from '../../../lib/api.ts';

export interface Sample {
  row: number;
  value: string;
}

export interface Choice {
  key: string;
  title: string;
  preview: { before: string; after: string | number | null }[];
}

/** As the engine words it (engine/hengxi/data/decide.py). */
export interface Question {
  id: string;
  name: string;
  kind: string;
  count: number;
  /** Of a scale in words: all its items, and what it measures. */
  names?: string[];
  title?: string;
  samples: Sample[];
  choices: Choice[];
}

/** The way the engine puts first; none where the cells themselves cannot tell which of two readings is meant. */
export const adviceOf = ({ kind, choices }: Question): string | null =>
  kind === 'order' ? null : (choices.find(({ key }) => key !== 'text')?.key ?? null);

/** A way out of a fault: settings to send again. */
export interface Remedy {
  title: string;
  set: Record<string, unknown>;
}

export interface ImportFault {
  code: string;
  text: string;
  remedies: Remedy[];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readRemedies(value: unknown): Remedy[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) =>
    isRecord(item) && typeof item['title'] === 'string' && isRecord(item['set'])
      ? [{ title: item['title'], set: item['set'] }]
      : [],
  );
}

/** The fault behind a failed call: the first field's words and remedies, or the message with the choices in its data. */
export function faultOf(error: unknown): ImportFault {
  if (!(error instanceof ApiError)) return { code: '', text: '出了意外，请重试', remedies: [] };
  const [field] = error.fields;
  if (field) return { code: field.code, text: field.text, remedies: readRemedies(field.remedies) };
  const data = isRecord(error.data) ? error.data : {};
  const code = typeof data['code'] === 'string' ? data['code'] : String(error.code);
  return { code, text: error.message, remedies: readRemedies(data['choices'] ?? data['remedies']) };
}

/** The fault of a run that ended badly. */
export function runFault(run: { refusal: unknown; error: unknown }): ImportFault {
  const fields = isRecord(run.refusal) ? run.refusal['fields'] : null;
  const first: unknown = Array.isArray(fields) ? fields[0] : null;
  const error = isRecord(run.error) ? run.error : {};
  const source = isRecord(first) ? first : error;
  const text = typeof source['text'] === 'string' ? source['text'] : '导入没有完成，请重试';
  const code = typeof source['code'] === 'string' ? source['code'] : '';
  return { code, text, remedies: readRemedies(source['remedies'] ?? source['choices']) };
}

export function readQuestions(result: unknown): Question[] {
  const list = isRecord(result) ? result['questions'] : null;
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => (isQuestion(item) ? [item] : []));
}

function isQuestion(value: unknown): value is Question {
  return (
    isRecord(value) &&
    typeof value['id'] === 'string' &&
    Array.isArray(value['choices']) &&
    Array.isArray(value['samples'])
  );
}

/** The server or the way to it failed, not the file: the same request may succeed in a moment. */
export const isPassing = (error: Error | null): boolean =>
  error instanceof ApiError &&
  (error.status === 0 || error.status === 429 || error.status >= 500 || wasKilled(faultOf(error)));

/** The reader was ended by the system; what it read is not to blame. */
export const wasKilled = ({ code }: ImportFault): boolean => code === 'preview.killed' || code === 'child_killed';
