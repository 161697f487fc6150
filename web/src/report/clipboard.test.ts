import { afterEach, expect, test, vi } from 'vitest';
import { toast } from '../lib/toast.ts';
import { copyForms, copyPicture } from './clipboard.ts';

const PNG = new Blob([Uint8Array.of(0x89, 0x50)], { type: 'image/png' });

/** What the page puts on the clipboard by the copy event; null where the browser does not copy so. */
function byEvent(allowed: boolean): Map<string, string> {
  const data = new Map<string, string>();
  const execCommand = (): boolean => {
    if (!allowed) return false;
    const event = new Event('copy', { cancelable: true });
    Object.assign(event, { clipboardData: { setData: (type: string, text: string) => data.set(type, text) } });
    document.dispatchEvent(event);
    return true;
  };
  Object.defineProperty(document, 'execCommand', { value: execCommand, configurable: true });
  return data;
}

/** The clipboard object with what was written to it. */
function clipboard(refuses: boolean): Record<string, unknown>[] {
  const written: Record<string, unknown>[] = [];
  vi.stubGlobal(
    'ClipboardItem',
    class {
      constructor(readonly items: Record<string, unknown>) {}
    },
  );
  const write = ([item]: { items: Record<string, unknown> }[]): Promise<void> => {
    if (refuses || item === undefined) return Promise.reject(new DOMException('no', 'NotAllowedError'));
    written.push(item.items);
    return Promise.resolve();
  };
  Object.defineProperty(navigator, 'clipboard', { value: { write }, configurable: true });
  return written;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, 'clipboard');
  Reflect.deleteProperty(document, 'execCommand');
});

const said = (kind: 'done' | 'warn') => vi.spyOn(toast, kind).mockImplementation(() => undefined);

test('a table goes as page and text by the copy event, without any permission', async () => {
  const done = said('done');
  const data = byEvent(true);
  expect(await copyForms({ html: '<b>1</b>', text: '1' })).toBe(true);
  expect(data.get('text/plain')).toBe('1');
  expect(data.get('text/html')).toMatch(/^<html xmlns:x=[^>]*><body><b>1<\/b>/);
  expect(done).toHaveBeenCalledOnce();
});

test('where the event is not to be had the clipboard object takes both; where both refuse the reader is told what to do', async () => {
  byEvent(false);
  said('done');
  const written = clipboard(false);
  expect(await copyForms({ html: '<b>1</b>', text: '1' })).toBe(true);
  expect(Object.keys(written[0] ?? {})).toEqual(['text/plain', 'text/html']);
  const warn = said('warn');
  clipboard(true);
  expect(await copyForms({ text: '1' })).toBe(false);
  expect(warn).toHaveBeenCalledWith('浏览器拒绝了复制，请用 Ctrl+C');
});

test('a figure goes as a picture; without a clipboard for pictures as a page with the picture in it', async () => {
  said('done');
  const written = clipboard(false);
  expect(await copyPicture(Promise.resolve(PNG), '图 1')).toBe(true);
  expect(Object.keys(written[0] ?? {})).toEqual(['image/png']);
  // As in a browser without ClipboardItem.
  vi.unstubAllGlobals();
  const data = byEvent(true);
  expect(await copyPicture(Promise.resolve(PNG), '图 1')).toBe(true);
  expect(data.get('text/html')).toContain('<img alt="" src="data:image/png;base64,iVA=">');
  expect(data.get('text/plain')).toBe('图 1');
});

test('a figure that the browser takes in no way is offered as a file', async () => {
  const warn = said('warn');
  clipboard(true);
  byEvent(false);
  expect(await copyPicture(Promise.resolve(PNG), '图 1')).toBe(false);
  expect(warn).toHaveBeenCalledWith('浏览器拒绝了复制图片，请下载图再插入文档');
});
