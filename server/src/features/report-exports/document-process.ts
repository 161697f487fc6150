/**
 * Documents are written in a process of their own: a large report neither holds up the server nor takes its memory, and
 * it can be stopped at any moment. The process ends with its job, with the server, and with its browser.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { z } from 'zod';
import { programOf } from '../../lib/programs.ts';
import { removeTemporaryFolder, makeTemporaryFolder } from '../../lib/temporary-folders.ts';
import type { Job } from './writers/job.ts';
import { Refused } from './writers/job.ts';

const WRITER = programOf('document', 'features/report-exports/writers/child.ts');
const MEMORY_MB = 1024;
/** A process that is asked to end closes its browser; one that does not is killed. */
const GRACE_MS = 2000;

const ProcessMessage = z.union([
  z.object({ progress: z.object({ done: z.number(), of: z.number(), text: z.string() }) }),
  z.object({
    made: z.object({
      extension: z.string(),
      bytes: z.number(),
      notes: z.array(z.object({ code: z.string(), text: z.string() })),
    }),
  }),
  z.object({ refused: z.object({ code: z.string(), text: z.string() }) }),
  z.object({ broke: z.string() }),
]);

export type DocumentResult = Extract<z.infer<typeof ProcessMessage>, { made: unknown }>['made'];

/** What lies in files of the job's folder. */
export type JobFiles = Pick<Job, 'kept' | 'data'>;

export interface ProcessContext {
  signal: AbortSignal;
  progress: (done: number, of: number, text: string) => void;
}

/**
 * Writes the document into `job.file`; throws Refused for what the person can mend. `bring` puts what the reports do not
 * hold themselves into the job's folder.
 */
export async function makeDocument(
  job: Omit<Job, 'scratch' | keyof JobFiles>,
  bring: (folder: string) => Promise<JobFiles>,
  hand: ProcessContext,
): Promise<DocumentResult> {
  const scratch = await makeTemporaryFolder('export');
  try {
    return await inChild({ ...job, ...(await bring(scratch)), scratch }, hand);
  } finally {
    await removeTemporaryFolder(scratch);
  }
}

function inChild(job: Job, { signal, progress }: ProcessContext): Promise<DocumentResult> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = fork(WRITER.file, [], {
      execArgv: [...WRITER.execArgv, `--max-old-space-size=${MEMORY_MB}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // The drawing library checks itself otherwise, and gives up pictures that the screen shows.
      env: { ...process.env, NODE_ENV: 'production' },
    });
    let result: (() => void) | null = null;
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-2000);
    });
    const stop = (): void => end(child);
    signal.addEventListener('abort', stop, { once: true });
    child.on('message', (message) => {
      const parsed = ProcessMessage.parse(message);
      if ('progress' in parsed) progress(parsed.progress.done, parsed.progress.of, parsed.progress.text);
      else if ('made' in parsed) result = () => resolve(parsed.made);
      else if ('refused' in parsed) result = () => reject(new Refused(parsed.refused.code, parsed.refused.text));
      else result = () => reject(new Error(parsed.broke));
    });
    child.once('error', reject);
    // Only then is nothing written any more.
    child.once('exit', (code, killed) => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) reject(new Error('stopped'));
      else if (result) result();
      else reject(new Error(`the writer ended with ${code ?? killed}: ${stderr}`));
    });
    child.send(job);
  });
}

function end(child: ChildProcess): void {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
}
