/** The sandbox inbox as a page. It stands alone (no script), because it is a tool and no page of the application. */
import type { SandboxSms } from './schema.ts';

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

export function inboxPage(messages: SandboxSms[], phone: string): string {
  const rows = messages
    .map(
      ({ phone: to, text, sent_at }) =>
        `<li><p>${escape(text)}</p><small>${escape(to)} · <time datetime="${sent_at}">${escape(shownTime(sent_at))}</time></small></li>`,
    )
    .join('\n');
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>短信收件箱（沙箱） · 衡析</title>
<style>
body { font: 16px/1.7 system-ui, "Noto Sans SC", sans-serif; max-width: 640px; margin: 32px auto; padding: 0 16px; color: #1d2327; background: #fbfaf7; }
h1 { font-size: 22px; font-weight: 600; }
h1 span { font-size: 14px; font-weight: 400; border: 1px solid #b7791f; color: #8a5a12; border-radius: 4px; padding: 1px 8px; margin-left: 8px; vertical-align: 2px; }
form { display: flex; gap: 8px; margin: 16px 0; }
input, button { font: inherit; padding: 6px 12px; border: 1px solid #8a8f94; border-radius: 4px; background: #fff; color: inherit; }
input { flex: 1; min-width: 0; }
ul { list-style: none; padding: 0; }
li { border-top: 1px solid #dcdad3; padding: 12px 0; }
p { margin: 0; }
small { color: #5c6368; }
@media (prefers-color-scheme: dark) { body { background: #16191c; color: #e6e6e3; } input, button { background: #22272b; } li { border-color: #33393e; } small { color: #a5abb0; } h1 span { color: #e0b060; } }
</style>
</head>
<body>
<h1>短信收件箱<span>沙箱</span></h1>
<p>没有配置短信服务，验证码不会发到手机，只显示在这里。</p>
<form method="get"><input name="phone" inputmode="numeric" maxlength="11" aria-label="手机号" placeholder="手机号" value="${escape(phone)}"><button>查看</button></form>
${rows ? `<ul>\n${rows}\n</ul>` : '<p>还没有短信。</p>'}
</body>
</html>`;
}

const format = new Intl.DateTimeFormat('zh-CN', {
  timeZone: 'Asia/Shanghai',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});
const shownTime = (iso: string): string => format.format(new Date(iso));
