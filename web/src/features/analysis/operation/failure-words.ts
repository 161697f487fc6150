/** What is said where a result should stand and there is none. */
import type { Failure } from './run-state.ts';

export function failureTitle(failure: Pick<Failure, 'kind'>): string {
  switch (failure.kind) {
    case 'refused':
      return '这组数据不能这样分析';
    case 'timeout':
      return '超过了时间上限';
    case 'memory':
      return '超过了内存上限';
    case 'lost':
      return '任务丢失了';
    case 'network':
      return '连不上服务器';
    case 'engine':
      return '分析引擎正在启动';
    case 'failed':
      return '计算出错了';
  }
}

/** What the sentence of a failure adds to its title, which stands before or above it. */
export function failureDetail({ kind, text }: Pick<Failure, 'kind' | 'text'>): string {
  const title = failureTitle({ kind });
  if (text === title) return '';
  return text.startsWith(`${title}，`) ? text.slice(title.length + 1) : text;
}
