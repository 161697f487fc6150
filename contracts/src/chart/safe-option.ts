/**
 * The one gate before ECharts (security S7). Its tooltips and tool boxes write HTML, so those components are not even
 * loaded and ours are drawn by React; what could bring them back (tooltip, extraCssText, toolbox) is removed wherever it stands.
 */
import type { EChartsOption } from 'echarts';

import { type ChartTheme, FONT } from './theme.ts';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Rows of data hold no settings that matter and are many: they pass as they are, but for a tooltip of their own. */
function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.some(isRecord) ? value.map(strip) : value;
  if (!isRecord(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'tooltip' || key === 'extraCssText' || key === 'toolbox') continue;
    kept[key] = strip(inner);
  }
  return kept;
}

export function safeOption(option: EChartsOption, theme: ChartTheme): EChartsOption {
  const kept = strip(option);
  return {
    ...(isRecord(kept) ? kept : {}),
    // No entrance animation, and nothing moves under prefers-reduced-motion.
    animation: false,
    backgroundColor: 'transparent',
    textStyle: { fontFamily: FONT, color: theme.ink2 },
  };
}
