/**
 * The one gate before ECharts (security S7). Its tooltips and tool boxes write HTML, so those components are not even
 * loaded and ours are drawn by React; what could bring them back (tooltip, extraCssText, toolbox) is removed wherever it stands.
 */
import type { EChartsOption } from 'echarts';

import { type ChartTheme, familyOf, FONT } from './theme.ts';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Rows of data hold no settings that matter and are many: they pass as they are, but for a tooltip of their own. */
function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.some(isRecord) ? value.map(strip) : value;
  if (!isRecord(value)) return value;
  const allowed: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'tooltip' || key === 'extraCssText' || key === 'toolbox') continue;
    allowed[key] = strip(inner);
  }
  return allowed;
}

/**
 * The family its reader chose in the place of ours, wherever a kind names one: in settings, and in what its own drawing
 * functions give back.
 */
function lettered(value: unknown, family: string | undefined): unknown {
  if (family === undefined) return value;
  if (typeof value === 'string') return value.includes(FONT) ? value.replace(FONT, family) : value;
  if (Array.isArray(value))
    return value.some((v) => typeof v === 'object') ? value.map((v) => lettered(v, family)) : value;
  if (typeof value === 'function')
    return function drawn(this: unknown, ...given: unknown[]): unknown {
      return lettered(Reflect.apply(value, this, given), family);
    };
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, lettered(inner, family)]));
}

export function safeOption(option: EChartsOption, theme: ChartTheme): EChartsOption {
  const kept = lettered(strip(option), theme.family);
  return {
    ...(isRecord(kept) ? kept : {}),
    // No entrance animation, and nothing moves under prefers-reduced-motion.
    animation: false,
    backgroundColor: 'transparent',
    textStyle: { fontFamily: familyOf(theme), color: theme.ink2 },
  };
}
