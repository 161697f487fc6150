/** Writes several forms of the same thing at once. The copy event also works on plain http, where the clipboard object is absent. */
import { toast } from '../lib/toast.ts';

export interface Forms {
  html?: string;
  text: string;
}

/** Spreadsheets believe the numbers beside the texts (x:num) only where the name of that language is known. */
const named = (html: string): string =>
  `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body>${html}</body></html>`;

export async function copyForms(given: Forms, done = '已复制'): Promise<boolean> {
  const forms = given.html === undefined ? given : { ...given, html: named(given.html) };
  const copied = byEvent(forms) || (await byClipboard(forms));
  if (copied) toast.done(done);
  else toast.warn('浏览器拒绝了复制，请用 Ctrl+C');
  return copied;
}

function byEvent(forms: Forms): boolean {
  let written = false;
  const fill = (event: ClipboardEvent): void => {
    if (event.clipboardData === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData.setData('text/plain', forms.text);
    if (forms.html !== undefined) event.clipboardData.setData('text/html', forms.html);
    written = true;
  };
  document.addEventListener('copy', fill, { capture: true, once: true });
  try {
    return typeof document.execCommand === 'function' && document.execCommand('copy') && written;
  } finally {
    document.removeEventListener('copy', fill, { capture: true });
  }
}

async function byClipboard(forms: Forms): Promise<boolean> {
  try {
    const blob = (type: string, text: string): Blob => new Blob([text], { type });
    const items = {
      'text/plain': blob('text/plain', forms.text),
      ...(forms.html === undefined ? {} : { 'text/html': blob('text/html', forms.html) }),
    };
    await navigator.clipboard.write([new ClipboardItem(items)]);
    return true;
  } catch {
    return false;
  }
}

/** Gives the browser something to save. */
export function saveFile(name: string, type: string, content: string | Blob): void {
  const url = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '_');
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
