/** The page of a certificate, printed as PDF by the browser that prints reports: without scripts or network. */
import QRCode from 'qrcode';

/** Of every work that was judged, whatever its rank. */
export const PARTICIPATION = '参赛证书';

export interface CertificateFacts {
  title: string;
  holder: string;
  team: string;
  award: string;
  code: string;
  /** 2026-12-31 */
  day: string;
  organiser: string;
  verify: string;
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.codePointAt(0) ?? 0};`);

export async function certificateHtml(facts: CertificateFacts): Promise<string> {
  const { title, holder, team, award, code, day, organiser, verify } = facts;
  const square = await QRCode.toString(verify, { type: 'svg', margin: 0, errorCorrectionLevel: 'M' });
  const [year = '', month = '', date = ''] = day.split('-');
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>${escape(title)} ${escape(award)}</title><style>
@page { size: A4; margin: 18mm; }
body { font-family: "Noto Serif SC", "Noto Serif CJK SC", "Noto Sans SC", serif; color: #1f2933; margin: 0; }
.sheet { border: 1.5pt solid #1f4e79; outline: 0.5pt solid #1f4e79; outline-offset: -5pt; height: 255mm; box-sizing: border-box;
  padding: 32mm 24mm 20mm; display: flex; flex-direction: column; }
h1 { font-size: 30pt; letter-spacing: 12pt; text-indent: 12pt; text-align: center; margin: 0 0 24mm; font-weight: 700; }
p { font-size: 16pt; line-height: 2; margin: 0 0 6mm; }
.award { text-align: center; font-size: 28pt; font-weight: 700; color: #1f4e79; margin: 8mm 0 14mm; }
.foot { margin-top: auto; display: flex; justify-content: space-between; align-items: flex-end; }
.foot svg { width: 28mm; height: 28mm; display: block; }
.code { font-size: 9.5pt; line-height: 1.6; color: #52606d; margin: 2mm 0 0; }
.sign { text-align: right; font-size: 14pt; line-height: 1.9; }
</style></head><body><div class="sheet"><h1>证书</h1>
<p>${escape(holder)}：</p>
<p>您所在的队伍“${escape(team)}”${award === PARTICIPATION ? `完成了“${escape(title)}”的作品并参加评审。` : `在“${escape(title)}”中获得`}</p>
<div class="award">${escape(award)}</div>
<p>特发此证。</p>
<div class="foot"><div>${square}<p class="code">证书编号 ${escape(code)}<br>扫码或在大赛结果页查验</p></div>
<div class="sign">${organiser === '' ? '' : `${escape(organiser)}<br>`}${year} 年 ${Number(month)} 月 ${Number(date)} 日</div></div>
</div></body></html>`;
}
