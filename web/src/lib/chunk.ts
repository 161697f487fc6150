/** Loading code on demand: given up after 120 s (specification section 8), with an error that says what it was. */
import { toast } from './toast.ts';

const LIMIT_MS = 120_000;

export const CHUNK_FAILED = 'Loading chunk failed';

export async function chunk<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(CHUNK_FAILED)), LIMIT_MS);
  });
  try {
    return await Promise.race([load(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Browsers word the same fault differently. */
export function isChunkError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|Loading chunk|module script failed|Unable to preload/i.test(error.message)
  );
}

export function tellChunkFailed(): void {
  toast.warn('页面没有加载完：网络中断，或刚发布了新版本。先保存正在填写的内容，再重新加载', {
    ms: null,
    action: { text: '重新加载', run: () => location.reload() },
  });
}
