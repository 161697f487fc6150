/** Amounts of money in Chinese capitals, as contracts and invoices write them: 壹万贰仟元整. */

const DIGITS = '零壹贰叁肆伍陆柒捌玖';
const PLACES = ['', '拾', '佰', '仟'];
const GROUPS = ['', '万', '亿', '兆'];

/** Four digits; zeros between others are one 零. */
function group(n: number): string {
  let text = '';
  let isZero = false;
  for (let place = 3; place >= 0; place -= 1) {
    const digit = Math.floor(n / 10 ** place) % 10;
    if (digit === 0) isZero = text !== '';
    else {
      text += `${isZero ? '零' : ''}${DIGITS[digit]}${PLACES[place]}`;
      isZero = false;
    }
  }
  return text;
}

function yuanText(yuan: number): string {
  let text = '';
  let isGap = false;
  for (let at = GROUPS.length - 1; at >= 0; at -= 1) {
    const n = Math.floor(yuan / 10_000 ** at) % 10_000;
    if (n === 0) {
      isGap = text !== '';
      continue;
    }
    // A group that is not full, or comes after an empty one, is read with 零.
    text += `${text !== '' && (isGap || n < 1000) ? '零' : ''}${group(n)}${GROUPS[at]}`;
    isGap = false;
  }
  return text;
}

/** Whole fen from 0 to 10^14 as capitals; throws RangeError otherwise. Source of the form: 支付结算办法, 附件一. */
export function chineseAmount(fen: number): string {
  if (!Number.isInteger(fen) || fen < 0 || fen > 1e14) throw new RangeError(`fen ${fen}`);
  const [yuan, jiao, cent] = [Math.floor(fen / 100), Math.floor(fen / 10) % 10, fen % 10];
  if (fen === 0) return '零元整';
  const whole = yuan === 0 ? '' : `${yuanText(yuan)}元`;
  if (jiao === 0 && cent === 0) return `${whole}整`;
  const isGap = yuan > 0 && (jiao === 0 || yuan % 10 === 0);
  const first = `${isGap ? '零' : ''}${jiao === 0 ? '' : `${DIGITS[jiao]}角`}`;
  return `${whole}${first}${cent === 0 ? '整' : `${DIGITS[cent]}分`}`;
}
