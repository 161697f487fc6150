/** Puts a text into the clipboard, and says so. */
import { toast } from './toast.ts';

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.done('复制成功');
  } catch {
    toast.warn('浏览器不允许复制，请手动选择文字');
  }
}
