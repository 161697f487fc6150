/** Sends one file in pieces. The server says where to go on, so a lost connection costs at most one piece. */
import type { Upload } from '@hengxi/server/files/schema';

import { api, ApiError } from '../../../lib/api.ts';
import { toast } from '../../../lib/toast.ts';
import { type Meter, newMeter, record } from './meter.ts';
import { forgetUpload, knownUpload, rememberUpload } from './resume.ts';

/** Small at first: the preview needs only the beginning, and a slow line should show movement soon. */
const FIRST_PIECE = 256 * 1024;
/** A piece that took less than this may be followed by a larger one. */
const QUICK_MS = 700;
const PIECE_TIMEOUT_MS = 120_000;
const RETRY_MS = [1000, 2000, 4000, 8000, 15_000] as const;

/** Why sending waits: no connection, too many requests at once, or a server that cannot take anything just now. */
export type Waiting = 'connection' | 'requests' | 'server';

export interface TransferProgress {
  uploadId: number | null;
  sent: number;
  /** Bytes a second; null until there is something to measure. */
  speed: number | null;
  /** Sending stands and will be tried again. */
  waiting: Waiting | null;
}

export async function sendFile(
  file: File,
  onProgress: (progress: TransferProgress) => void,
  signal: AbortSignal,
): Promise<Upload> {
  let upload: Upload | null = null;
  let piece = FIRST_PIECE;
  let failures = 0;
  const meter: Meter = newMeter();
  const tell = (waiting: Waiting | null) => {
    const { upload_id: uploadId = null, offset: sent = 0 } = upload ?? {};
    onProgress({ uploadId, sent, speed: meter.speed, waiting });
  };
  while (!upload?.complete) {
    const from: number = upload?.offset ?? 0;
    const began = performance.now();
    try {
      if (!upload) {
        upload = (await knownUpload(file, signal)) ?? (await begin(file, signal));
        tell(null);
        continue;
      }
      const taken = await sendPiece(upload, file.slice(from, from + Math.min(piece, upload.chunk)), signal);
      if (!taken.complete && !(taken.offset > from)) throw nothingTaken();
      upload = taken;
      failures = 0;
      const took = performance.now() - began;
      record(meter, upload.offset - from, took);
      if (took < QUICK_MS) piece = Math.min(piece * 2, upload.chunk);
      else if (took > QUICK_MS * 4) piece = Math.max(FIRST_PIECE, Math.floor(piece / 2));
      tell(null);
    } catch (error) {
      const offset = rightOffset(error);
      if (offset !== null && upload && failures < FAULTS_BORNE) {
        upload = { ...upload, offset };
        failures += 1;
      } else if (isPassing(error, failures)) {
        warnOf(error, failures);
        tell(waitingFor(error));
        await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 15_000, signal);
        failures += 1;
      } else throw error;
    }
  }
  forgetUpload(file);
  return upload;
}

async function begin(file: File, signal: AbortSignal): Promise<Upload> {
  const upload = await api.post<Upload>(
    '/v1/user/file/uploads',
    { name: file.name, size: file.size },
    { signal, quiet: true },
  );
  rememberUpload(file, upload.upload_id);
  return upload;
}

function sendPiece(upload: Upload, piece: Blob, signal: AbortSignal): Promise<Upload> {
  return api.put<Upload>(`/v1/user/file/uploads/${upload.upload_id}`, piece, {
    query: { offset: upload.offset },
    signal,
    quiet: true,
    timeout: PIECE_TIMEOUT_MS,
  });
}

/** 409 with the place to go on from: the piece had arrived although its answer was lost. */
function rightOffset(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.code !== 30501) return null;
  const data: { offset?: unknown } = typeof error.data === 'object' && error.data !== null ? error.data : {};
  return typeof data.offset === 'number' ? data.offset : null;
}

/** A fault of the server itself may pass once or twice, not for ever. */
const FAULTS_BORNE = 3;

/** The server's disk is full: told at once, and tried again when the person says so. */
const DISK_FULL = 30022;

/** Worth trying again: no answer, a server that restarts, too many requests. 501 and 505 will not be better later. */
function isPassing(error: unknown, failures: number): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.fault === 'network' || error.fault === 'timeout') return true;
  if (error.code === DISK_FULL) return false;
  if (error.status === 500) return failures < FAULTS_BORNE;
  return [429, 502, 503, 504].includes(error.status);
}

function waitingFor(error: unknown): Waiting {
  if (!(error instanceof ApiError) || error.status === 0) return 'connection';
  return error.status === 429 ? 'requests' : 'server';
}

/** The text of the specification, once for a row of failures; a lost connection has its own notice at the top. */
function warnOf(error: unknown, failures: number): void {
  if (failures === 0 && error instanceof ApiError && error.status >= 500) toast.warn(error.message);
}

/** Answered, but no further than before: a fault of the server, and no reason to ask without a pause for ever. */
function nothingTaken(): ApiError {
  return new ApiError('http', '服务器没有收下文件的这一段', 500, 0, [], null);
}

function cancelled(): ApiError {
  return new ApiError('cancelled', '已取消', 0, 0, [], null);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // Cancelled while the last answer was on its way: an event for that will not come any more.
    if (signal.aborted) {
      reject(cancelled());
      return;
    }
    const timer = setTimeout(done, ms);
    // The cable is back: no reason to sit out the rest of the wait.
    addEventListener('online', done);
    signal.addEventListener('abort', stopped);
    function clear() {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', stopped);
    }
    function done() {
      clear();
      resolve();
    }
    function stopped() {
      clear();
      reject(cancelled());
    }
  });
}
