/** Sends the form of /business-cooperation/: each fault at its field, the focus on the first, nothing lost. */
import type { CaptchaTicket, SliderPuzzle } from '@hengxi/server/accounts/schema';

interface Envelope<T> {
  status_code: number;
  err_code?: number;
  msg?: string;
  data: T;
}

async function call<T>(method: string, url: string, body?: unknown): Promise<Envelope<T>> {
  const reply = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return reply.json();
}

type Values = Record<string, string>;
type Fault = [field: string, text: string];

/** The same rules as the server's, told all at once. */
export function faultsOf(values: Values, hasConsent: boolean): Fault[] {
  const faults: Fault[] = [];
  const { name = '', phone = '', mail = '', text = '' } = values;
  const length = [...text.trim()].length;
  if (name.trim() === '') faults.push(['name', '请填写称呼']);
  if (phone.trim() === '' && mail.trim() === '') faults.push(['phone', '手机和邮箱至少填一项']);
  if (phone.trim() !== '' && !/^1\d{10}$/.test(phone.trim())) faults.push(['phone', '请输入 11 位手机号']);
  if (mail.trim() !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(mail.trim())) faults.push(['mail', '请输入正确的邮箱']);
  if (length < 10) faults.push(['text', `说明至少 10 个字，现在 ${length} 个字`]);
  if (!hasConsent) faults.push(['consent', '请先勾选同意，我们才能联系你']);
  return faults;
}

const requestId = (): string => [...crypto.getRandomValues(new Uint8Array(12))].map((n) => n.toString(16)).join('-');

export function watchForm(form: HTMLFormElement, source: string | null): void {
  const at = (name: string) => form.querySelector<HTMLElement>(`[data-fault="${name}"]`);
  const control = (name: string) => form.querySelector<HTMLElement>(`[name="${name}"]`);
  const button = form.querySelector<HTMLButtonElement>('button[type="submit"]');
  let id = requestId();

  const show = (faults: readonly Fault[]) => {
    for (const place of form.querySelectorAll('[data-fault]')) place.textContent = '';
    for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid');
    for (const [name, text] of faults) {
      const place = at(name) ?? at('all');
      if (place) place.textContent = text;
      control(name)?.setAttribute('aria-invalid', 'true');
    }
    const [first] = faults;
    if (first) control(first[0])?.focus();
  };

  const failed = (msg?: string) => {
    const mail = at('all')?.dataset['mail'] ?? '';
    show([['all', `${msg ?? '没有提交成功'}。内容还在${mail === '' ? '，请重试' : `，请重试，或发邮件到 ${mail}`}。`]]);
  };

  async function send(values: Values, ticket: CaptchaTicket): Promise<void> {
    const body = { ...values, consent: true, source, request_id: id, ...ticket };
    const answer = await call<{ number: string }>('POST', '/v1/cooperation', body);
    if (answer.status_code !== 1) {
      failed(answer.msg);
      return;
    }
    id = requestId();
    const taken = document.querySelector<HTMLElement>('[data-taken]');
    if (!taken) return;
    taken.textContent = `已收到，编号 ${answer.data.number}。我们会用你留的方式联系你。`;
    taken.hidden = false;
    form.hidden = true;
    taken.focus();
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const values: Values = {};
    for (const [name, value] of data) if (name !== 'consent' && typeof value === 'string') values[name] = value;
    const faults = faultsOf(values, data.get('consent') !== null);
    show(faults);
    if (faults.length > 0 || !button) return;
    button.disabled = true;
    solve(form, button.dataset['kind'] ?? '')
      .then((ticket) => (ticket === null ? undefined : send(values, ticket)))
      .catch(() => failed())
      .finally(() => {
        button.disabled = false;
      });
  });

  const topic = new URLSearchParams(location.search).get('topic');
  const select = control('topic');
  if (select instanceof HTMLSelectElement && [...select.options].some(({ value }) => value === topic))
    select.value = topic ?? '';
}

/** A ticket of the captcha this installation uses; null when it was given up. */
async function solve(form: HTMLFormElement, kind: string): Promise<CaptchaTicket | null> {
  if (kind !== 'tencent') return slide(form);
  const site = await call<{ captcha_app: string | null }>('GET', '/v1/site');
  const { solveTencent } = await import('../../lib/tencent-captcha.ts');
  const solved = await solveTencent(site.data.captcha_app ?? '');
  if (solved === null) throw new Error('the captcha did not load');
  return solved === 'closed' ? null : solved;
}

/** The puzzle under the form: a slider that pointer, finger and arrow keys move; let go or Enter answers. */
async function slide(form: HTMLFormElement): Promise<CaptchaTicket> {
  const box = form.querySelector<HTMLElement>('[data-captcha]');
  if (!box) throw new Error('no place for the puzzle');
  box.hidden = false;
  try {
    for (;;) {
      const { data: puzzle } = await call<SliderPuzzle>('GET', '/v1/captcha/slider');
      const drag = await dragged(box, puzzle);
      const answer = await call<CaptchaTicket>('POST', '/v1/captcha/slider', { id: puzzle.id, ...drag });
      if (answer.status_code === 1) return answer.data;
      box.dataset['again'] = answer.msg ?? '没有对准，请再试一次';
    }
  } finally {
    box.hidden = true;
    box.replaceChildren();
  }
}

interface Drag {
  x: number;
  track: { x: number; y: number; t: number }[];
}

function dragged(box: HTMLElement, puzzle: SliderPuzzle): Promise<Drag> {
  const share = (value: number, of: number) => `${(value / of) * 100}%`;
  const image = (source: string, alt: string) => Object.assign(new Image(), { src: source, alt });
  const piece = image(puzzle.piece, '');
  Object.assign(piece.style, { top: share(puzzle.y, puzzle.height), width: share(puzzle.piece_size, puzzle.width) });
  const picture = document.createElement('div');
  picture.append(image(puzzle.background, '有缺口的图片'), piece);
  const slider = Object.assign(document.createElement('input'), {
    type: 'range',
    min: '0',
    max: String(puzzle.width - puzzle.piece_size),
    value: '0',
    ariaLabel: '拼图位置',
  });
  const note = document.createElement('p');
  note.role = 'status';
  note.textContent = box.dataset['again'] ?? '拖动滑块，把拼图放进缺口。键盘用方向键移动，按 Enter 确认。';
  box.replaceChildren(picture, slider, note);
  slider.focus();
  const track: Drag['track'] = [];
  let begun = 0;
  return new Promise((resolve) => {
    const place = () => {
      piece.style.left = share(Number(slider.value), puzzle.width);
    };
    const done = () => {
      if (track.length > 0) resolve({ x: Number(slider.value), track });
    };
    place();
    slider.addEventListener('input', () => {
      if (track.length === 0) begun = performance.now();
      if (track.length < 2000) track.push({ x: Number(slider.value), y: 0, t: Math.round(performance.now() - begun) });
      place();
    });
    slider.addEventListener('pointerup', done);
    slider.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      done();
    });
  });
}
