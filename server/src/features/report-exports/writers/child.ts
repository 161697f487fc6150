/** The process that writes one document: takes a job, tells its progress, ends. */
import { writeFile } from 'node:fs/promises';
import type { Job } from './job.ts';
import { Refused } from './job.ts';
import { write } from './write.ts';

// The server is gone: nobody waits for the document.
process.on('disconnect', () => process.exit(1));

const say = (message: object): Promise<void> =>
  new Promise((resolve) => {
    if (process.send) process.send(message, () => resolve());
    else resolve();
  });

process.once('message', (job) => {
  void perform(job as Job).finally(() => process.exit(0));
});

async function perform(job: Job): Promise<void> {
  try {
    const written = await write(job, (done, of, text) => void say({ progress: { done, of, text } }));
    await writeFile(job.file, written.bytes, { mode: 0o600 });
    const { extension, notes } = written;
    await say({ made: { extension, notes, bytes: written.bytes.length } });
  } catch (error) {
    if (error instanceof Refused) await say({ refused: { code: error.code, text: error.message } });
    else await say({ broke: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}
