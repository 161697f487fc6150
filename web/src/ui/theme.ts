/** The antd theme: the same values as tokens.css, because antd computes derived colours and cannot read CSS variables. */
import { theme, type ThemeConfig } from 'antd';

const FONT = "-apple-system,'Segoe UI','PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif";

interface Palette {
  canvas: string;
  paper: string;
  sunken: string;
  line: string;
  line2: string;
  field: string;
  ink: string;
  ink2: string;
  ink3: string;
  pri: string;
  priHover: string;
  priActive: string;
  priBg: string;
  onPri: string;
  ok: string;
  okBg: string;
  warn: string;
  warnBg: string;
  bad: string;
  badBg: string;
  scrim: string;
  shadow: string;
}

const LIGHT: Palette = {
  canvas: '#F5F4F0',
  paper: '#FFFFFF',
  sunken: '#FAF9F6',
  line: '#E4E1D9',
  line2: '#EFEDE7',
  field: '#8C8B84',
  ink: '#1D232B',
  ink2: '#4C545E',
  ink3: '#666D76',
  pri: '#1F5582',
  priHover: '#2C6C9F',
  priActive: '#163F61',
  priBg: '#EAF1F7',
  onPri: '#FFFFFF',
  ok: '#2B6B45',
  okBg: '#EDF4EE',
  warn: '#8A5A00',
  warnBg: '#FBF3DF',
  bad: '#A8322A',
  badBg: '#FBEDEB',
  scrim: 'rgba(22,27,33,.46)',
  shadow: '0 8px 28px rgba(29,35,43,.14)',
};

const DARK: Palette = {
  canvas: '#14171B',
  paper: '#1B1F24',
  sunken: '#171A1F',
  line: '#343A42',
  line2: '#282D34',
  field: '#747C86',
  ink: '#E8E6E1',
  ink2: '#B4B8BD',
  ink3: '#8E959E',
  pri: '#7FB3DE',
  priHover: '#9CC6EA',
  priActive: '#659DCB',
  priBg: '#1E2E3D',
  onPri: '#10202E',
  ok: '#7DBF95',
  okBg: '#1D2B23',
  warn: '#E0B355',
  warnBg: '#30291A',
  bad: '#EE938A',
  badBg: '#35211F',
  scrim: 'rgba(0,0,0,.6)',
  shadow: '0 8px 28px rgba(0,0,0,.5)',
};

function colours(p: Palette): ThemeConfig['token'] {
  return {
    colorBgLayout: p.canvas,
    colorBgContainer: p.paper,
    colorBgElevated: p.paper,
    colorFillAlter: p.sunken,
    colorBorder: p.field,
    colorBorderSecondary: p.line,
    colorSplit: p.line2,
    colorText: p.ink,
    colorTextSecondary: p.ink2,
    colorTextTertiary: p.ink3,
    colorTextPlaceholder: p.ink3,
    colorTextDescription: p.ink3,
    colorPrimary: p.pri,
    colorPrimaryHover: p.priHover,
    colorPrimaryActive: p.priActive,
    colorPrimaryBg: p.priBg,
    colorPrimaryText: p.pri,
    controlItemBgActive: p.priBg,
    colorLink: p.pri,
    colorLinkHover: p.priHover,
    colorLinkActive: p.priActive,
    colorInfo: p.pri,
    colorInfoBg: p.priBg,
    colorSuccess: p.ok,
    colorSuccessBg: p.okBg,
    colorWarning: p.warn,
    colorWarningBg: p.warnBg,
    colorError: p.bad,
    colorErrorBg: p.badBg,
    colorTextLightSolid: p.onPri,
    colorBgMask: p.scrim,
    boxShadow: p.shadow,
    boxShadowSecondary: p.shadow,
    colorTextDisabled: p.ink3,
  };
}

/** The dark algorithm darkens even the colours it is given; the ones of the design are put back after it. */
function exact(p: Palette): NonNullable<Exclude<ThemeConfig['algorithm'], unknown[]>> {
  return (seed, map) => ({
    ...(map ?? theme.darkAlgorithm(seed)),
    colorPrimary: p.pri,
    colorPrimaryHover: p.priHover,
    colorPrimaryActive: p.priActive,
    colorInfo: p.pri,
    colorLink: p.pri,
    colorSuccess: p.ok,
    colorWarning: p.warn,
    colorError: p.bad,
  });
}

/** The theme for ConfigProvider. `reduced` follows prefers-reduced-motion. */
export function antdTheme(appearance: 'light' | 'dark', reduced: boolean): ThemeConfig {
  const p = appearance === 'dark' ? DARK : LIGHT;
  return {
    algorithm: appearance === 'dark' ? [theme.darkAlgorithm, exact(p)] : theme.defaultAlgorithm,
    token: {
      ...colours(p),
      fontFamily: FONT,
      fontSize: 14,
      lineHeight: 22 / 14,
      fontWeightStrong: 600,
      borderRadius: 6,
      borderRadiusSM: 4,
      borderRadiusLG: 8,
      controlHeight: 32,
      controlHeightSM: 26,
      controlHeightLG: 42,
      wireframe: false,
      motion: !reduced,
      motionDurationFast: '0.08s',
      motionDurationMid: '0.16s',
      motionDurationSlow: '0.2s',
      motionEaseInOut: 'cubic-bezier(.2,0,0,1)',
      motionEaseOut: 'cubic-bezier(.2,0,0,1)',
    },
    components: {
      Button: {
        defaultBorderColor: p.line,
        primaryColor: p.onPri,
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        fontWeight: 400,
        contentFontSizeSM: 13,
      },
      Modal: { titleFontSize: 20, titleLineHeight: 28 / 20 },
      Tabs: { itemSelectedColor: p.ink, itemColor: p.ink2, itemHoverColor: p.ink, titleFontSize: 14 },
      Segmented: { trackBg: p.line2, itemColor: p.ink2, itemSelectedColor: p.ink, itemSelectedBg: p.paper },
      Tooltip: { colorBgSpotlight: appearance === 'dark' ? '#3A4149' : '#2A313A', colorTextLightSolid: '#FFFFFF' },
      Checkbox: { colorWhite: p.onPri },
      Switch: { colorTextQuaternary: p.field, colorTextTertiary: p.ink3 },
      Table: { headerBg: p.paper, headerColor: p.ink3, rowHoverBg: p.sunken, borderColor: p.line2 },
    },
  };
}
