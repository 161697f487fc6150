// What runs in the thread of the embedded database. Plain JavaScript: threads do not take over the loader that reads
// TypeScript. A message is bytes for the database, null closes it; each is answered in order.
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

const client = await PGlite.create({ dataDir: workerData.folder });
parentPort.on('message', (message) => {
  const work = message ? client.execProtocolRaw(message, { syncToFs: false }) : client.close().then(() => null);
  work.then(
    (reply) => parentPort.postMessage(reply, reply ? [reply.buffer] : []),
    (error) => parentPort.postMessage(String(error), []),
  );
});
parentPort.postMessage(null, []);
