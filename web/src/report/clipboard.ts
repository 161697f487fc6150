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

/**
 * A picture. Where the browser has no clipboard for pictures, or refuses it, a page with the picture in it goes the way
 * of the copy event. The picture may still be in the making: some browsers only take what is promised at the click.
 */
export async function copyPicture(png: Promise<Blob>, name: string): Promise<boolean> {
  const copied = (await byPicture(png)) || byEvent({ html: named(await imageOf(png)), text: name });
  if (copied) toast.done('图已复制，可粘贴到 Word、WPS 或 PPT');
  else toast.warn('浏览器拒绝了复制图片，请下载图再插入文档');
  return copied;
}

async function byPicture(png: Promise<Blob>): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
    return true;
  } catch {
    return false;
  }
}

async function imageOf(png: Promise<Blob>): Promise<string> {
  const blob = await png;
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('loadend', () =>
      typeof reader.result === 'string' ? resolve(reader.result) : reject(reader.error ?? new Error('unreadable')),
    );
    reader.readAsDataURL(blob);
  });
  return `<img alt="" src="${address}">`;
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
