/** The data an address named is gone and the page goes on with other data: never without a word. */
import { toast } from './toast.ts';

export const announceReplacement = (name: string): void =>
  toast.warn(`链接里的数据已删除或不存在，已换成“${name}”`, { ms: 8000 });
