/** Pages outside the application: what a phone sees after scanning, and the sandbox's sign-in pages. No script in them. */
import type { Scanned } from './wechat.ts';

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.7 -apple-system, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; max-width: 420px; margin: 10vh auto 32px; padding: 0 20px; color: #1d232b; background: #f5f4f0; }
h1 { font-size: 20px; line-height: 28px; font-weight: 600; margin: 0 0 12px; }
h1 span { font-size: 13px; font-weight: 400; border: 1px solid #8a5a00; color: #8a5a00; border-radius: 4px; padding: 1px 8px; margin-left: 8px; vertical-align: 2px; }
dl { display: grid; grid-template-columns: 72px 1fr; gap: 4px 12px; margin: 16px 0 24px; padding: 12px 0; border-top: 1px solid #e4e1d9; border-bottom: 1px solid #e4e1d9; }
dt { color: #666d76; } dd { margin: 0; }
p { margin: 0 0 12px; } .note { color: #666d76; font-size: 14px; }
label { display: block; color: #4c545e; font-size: 14px; margin-bottom: 4px; }
input { font: inherit; width: 100%; box-sizing: border-box; padding: 8px 12px; border: 1px solid #8c8b84; border-radius: 6px; background: #fff; color: inherit; margin-bottom: 16px; }
.acts { display: flex; gap: 12px; }
button { font: inherit; flex: 1; padding: 9px 16px; border: 1px solid #8c8b84; border-radius: 6px; background: #fff; color: #1d232b; cursor: pointer; }
button.main { background: #1f5582; border-color: #1f5582; color: #fff; }
:focus-visible { outline: 2px solid #1f5582; outline-offset: 2px; }
@media (prefers-color-scheme: dark) {
  body { background: #14171b; color: #e8e6e1; } dl { border-color: #343a42; } dt, .note { color: #8e959e; } label { color: #b4b8bd; }
  input, button { background: #1b1f24; color: #e8e6e1; border-color: #747c86; } button.main { background: #7fb3de; border-color: #7fb3de; color: #10202e; }
  h1 span { color: #e0b355; border-color: #e0b355; }
}`;

function page(title: string, isSandbox: boolean, body: string): string {
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(title)} · 衡析</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escape(title)}${isSandbox ? '<span>沙箱</span>' : ''}</h1>
${body}
</main>
</body>
</html>`;
}

const who = (id: string, label: string, value: string): string =>
  `<label for="${id}">${label}</label><input id="${id}" name="who" maxlength="40" required value="${escape(value)}" autocomplete="off">`;

const acts = (confirm: string, act: string): string =>
  `<div class="acts"><button name="act" value="refuse" formnovalidate>取消</button><button class="main" name="act" value="${act}">${confirm}</button></div>`;

const format = new Intl.DateTimeFormat('zh-CN', {
  timeZone: 'Asia/Shanghai',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});

/** Browser, place and time of the screen that is about to be signed in, before anything is confirmed. */
export function scanPage(scanned: Scanned, action: string, isSandbox: boolean): string {
  const act = scanned.addsTo === null ? '确认登录' : '确认绑定';
  const asks =
    scanned.addsTo === null
      ? '有一台设备正在请求登录衡析：'
      : `有一台设备要把这个微信绑定到衡析账号“${escape(scanned.addsTo)}”。绑定后，用这个微信扫码即可登录该账号：`;
  return page(
    act,
    isSandbox,
    `<p>${asks}</p>
<dl><dt>浏览器</dt><dd>${escape(scanned.agent)}</dd><dt>网络</dt><dd>${escape(scanned.net)}</dd><dt>时间</dt><dd>${escape(format.format(scanned.at))}</dd></dl>
<form method="post" action="${escape(action)}">
${isSandbox ? who('who', scanned.addsTo === null ? '以哪个微信用户登录' : '绑定哪个微信用户', '微信用户') : ''}
${acts(act, 'confirm')}
</form>
<p class="note" style="margin-top:16px">不是您本人操作，请点取消。</p>`,
  );
}

export function messagePage(title: string, text: string, isSandbox: boolean): string {
  return page(title, isSandbox, `<p>${escape(text)}</p>`);
}

export function signInPage(title: string, label: string, value: string, action: string): string {
  return page(
    title,
    true,
    `<p class="note">没有配置真实的服务，这一页代替它：输入任意名字即可登录，同名即同一人。</p>
<form method="post" action="${escape(action)}">
${who('who', label, value)}
${acts('登录', 'login')}
</form>`,
  );
}
