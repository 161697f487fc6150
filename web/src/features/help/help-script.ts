/** What the written help pages do with a script: search, say whether the page helped, print, compare versions. */
import type { HelpHit, HelpIndex, PageWords } from '../../lib/help-search.ts';

const FEW = 3;
const MOST = 30;
const UNAVAILABLE = '搜索暂时不可用，可按目录查找。';

async function load<T>(address: string): Promise<T> {
  const reply = await fetch(address);
  if (!reply.ok) throw new Error(`${address}: ${reply.status}`);
  return reply.json();
}

const element = <K extends keyof HTMLElementTagNameMap>(name: K, text = ''): HTMLElementTagNameMap[K] => {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
};

/** The words with what was typed marked, as far as it stands there as written. */
function marked(words: string, query: string): (Node | string)[] {
  const at = query === '' ? -1 : words.toLowerCase().indexOf(query.toLowerCase());
  if (at < 0) return [words];
  return [words.slice(0, at), element('mark', words.slice(at, at + query.length)), words.slice(at + query.length)];
}

function line({ entry, ask }: HelpHit, query: string): HTMLLIElement {
  const link = element('a');
  link.href = `/help/${entry.slug}/`;
  link.append(...marked(entry.title, query));
  const about = element('span');
  about.append(...(ask === null ? marked(entry.purpose, query) : [`${ask}：${entry.purpose}`]));
  const item = element('li');
  item.append(link, about);
  return item;
}

export function watchSearch(form: HTMLFormElement): void {
  const input = form.querySelector('input');
  const found = document.querySelector<HTMLElement>('[data-help-found]');
  const count = document.querySelector<HTMLElement>('[data-help-count]');
  const directory = document.querySelector<HTMLElement>('[data-help-directory]');
  if (!input || !found || !count || !directory) return;
  form.hidden = false;
  let names: Promise<HelpIndex> | null = null;
  let pages: Promise<PageWords> | null = null;
  /** Only the last question is answered. */
  let turn = 0;

  const index = (): Promise<HelpIndex> => {
    names ??= load<HelpIndex>(form.dataset['index'] ?? '').catch((error: unknown) => {
      names = null;
      throw error;
    });
    return names;
  };
  const words = (): Promise<PageWords> => {
    pages ??= load<PageWords>(form.dataset['words'] ?? '').catch((error: unknown) => {
      pages = null;
      throw error;
    });
    return pages;
  };
  const show = (parts: readonly [string, readonly HelpHit[]][], query: string): void => {
    const all = parts.flatMap(([, hits]) => hits);
    directory.hidden = true;
    found.hidden = false;
    count.textContent = `找到 ${all.length} 页`;
    found.replaceChildren(
      ...parts
        .filter(([, hits]) => hits.length > 0)
        .flatMap(([title, hits]) => {
          const list = element('ol');
          list.append(...hits.map((hit) => line(hit, query)));
          return [element('h2', title), list];
        }),
    );
    if (all.length === 0) nothing(query);
  };
  const nothing = (query: string): void => {
    count.textContent = '';
    const told = element('p', `没有找到“${query}”。试试换个说法，或按研究目的找方法。`);
    const links = [...directory.querySelectorAll('details a')].slice(0, 4).map((link) => {
      const item = element('li');
      item.append(link.cloneNode(true));
      return item;
    });
    const list = element('ol');
    list.append(...links);
    const tell = element('button', '告诉我们你在找什么');
    tell.type = 'button';
    tell.className = form.querySelector('button')?.className ?? '';
    tell.addEventListener('click', () => {
      tell.disabled = true;
      send({ slug: 'search', version: 1, verdict: 'no', reason: 'lacking', text: query.slice(0, 300) }).then(
        () => {
          told.textContent = '谢谢，已记下。';
        },
        () => {
          tell.disabled = false;
          told.textContent = '没有发出去，请稍后再试。';
        },
      );
    });
    found.replaceChildren(told, list, tell);
  };
  const clear = (): void => {
    turn += 1;
    found.hidden = true;
    directory.hidden = false;
    count.textContent = '';
  };
  const answer = async (isWhole: boolean): Promise<void> => {
    const query = input.value.trim();
    if (query === '') return clear();
    turn += 1;
    const own = turn;
    try {
      const [known, { searchHelp, searchPages }] = await Promise.all([index(), import('../../lib/help-search.ts')]);
      const hits = searchHelp(query, known, MOST);
      const isFew = hits.length < FEW;
      const more = isWhole || isFew ? searchPages(query, known, await words(), MOST) : [];
      if (own !== turn) return;
      const told = new Set(hits.map(({ entry }) => entry.slug));
      const others = more.filter(({ entry }) => !told.has(entry.slug));
      show(
        [
          ['方法', hits],
          ['正文里提到', others],
        ],
        query,
      );
    } catch {
      if (own !== turn) return;
      clear();
      count.textContent = UNAVAILABLE;
    }
  };
  input.addEventListener('focus', () => void index().catch(() => undefined), { once: true });
  input.addEventListener('input', () => void answer(false));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    history.replaceState(
      null,
      '',
      input.value.trim() === '' ? '/help/' : `/help/?q=${encodeURIComponent(input.value.trim())}`,
    );
    void answer(true);
  });
  watchKeys(form, input, found);
  input.value = new URLSearchParams(location.search).get('q') ?? '';
  if (input.value !== '') void answer(true);
}

/** ↓ from the field into the list and on, ↑ back, Esc to the field and then empties it. */
function watchKeys(form: HTMLFormElement, input: HTMLInputElement, found: HTMLElement): void {
  const step = (event: KeyboardEvent, by: number): void => {
    const stops: HTMLElement[] = [input, ...found.querySelectorAll<HTMLElement>('a')];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    const next = at < 0 ? undefined : stops[at + by];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.isComposing || found.hidden) return;
    if (event.key === 'ArrowDown') step(event, 1);
    else if (event.key === 'ArrowUp') step(event, -1);
    else if (event.key === 'Escape') {
      event.preventDefault();
      if (document.activeElement === input) {
        input.value = '';
        input.dispatchEvent(new Event('input'));
      } else input.focus();
    }
  };
  form.addEventListener('keydown', onKey);
  found.addEventListener('keydown', onKey);
}

interface Sent {
  slug: string;
  version: number | string;
  verdict: string;
  reason: string | null;
  text: string;
}

async function send(body: Sent): Promise<void> {
  const reply = await fetch('/v1/help/feedback', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  const envelope: { status_code?: number; msg?: string } = await reply.json();
  if (envelope.status_code !== 1) throw new Error(envelope.msg ?? '');
}

export function watchFeedback(section: HTMLElement): void {
  const form = section.querySelector('form');
  const told = section.querySelector<HTMLElement>('[data-told]');
  if (!form || !told) return;
  const { helpFeedback: slug = '', version = '1' } = section.dataset;
  const whole = /^\d+$/.test(version) ? Number(version) : version;
  section.hidden = false;
  const tell = (body: Pick<Sent, 'verdict' | 'reason' | 'text'>): void => {
    told.textContent = '';
    send({ slug, version: whole, ...body }).then(
      () => section.replaceChildren(element('p', '谢谢，已记下。')),
      (error: unknown) => {
        const why = error instanceof Error ? error.message : '';
        told.textContent = `${why || '没有发出去。'} 写的内容还在，可以再试。`;
      },
    );
  };
  for (const button of section.querySelectorAll<HTMLButtonElement>('[data-verdict]'))
    button.addEventListener('click', () => {
      if (button.dataset['verdict'] === 'yes') tell({ verdict: 'yes', reason: null, text: '' });
      else {
        form.hidden = false;
        button.setAttribute('aria-expanded', 'true');
      }
    });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const values = new FormData(form);
    const text = values.get('text');
    const reason = values.get('reason');
    tell({
      verdict: 'no',
      reason: typeof reason === 'string' ? reason : null,
      text: typeof text === 'string' ? text.trim() : '',
    });
  });
}

/** A report that was made by an older version of the method links here with it. */
export function tellVersion(note: HTMLElement, search: string): void {
  const asked = new URLSearchParams(search).get('v') ?? '';
  const version = Number(note.dataset['version']);
  if (!/^[1-9]\d{0,4}$/.test(asked) || !(Number(asked) < version)) return;
  note.textContent = `你的报告用的是版本 ${asked}，这一页讲的是版本 ${version}，数字可能不同。重新运行就会用新版本。`;
  note.hidden = false;
}

/** Folded parts are printed, and folded again afterwards. */
export function watchPrint(button: HTMLElement): void {
  button.hidden = false;
  button.addEventListener('click', () => print());
  let opened: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll<HTMLDetailsElement>('main details:not([open])')];
    for (const details of opened) details.open = true;
  });
  addEventListener('afterprint', () => {
    for (const details of opened) details.open = false;
  });
}
