/** What the header and the footer of the public pages lead to: only what exists. */

export interface SiteLink {
  title: string;
  to: string;
  /** Said beside it in the menu. */
  note?: string;
}

export type SiteEntry = SiteLink | { title: string; links: readonly SiteLink[] };

export const SITE_MENU: readonly SiteEntry[] = [
  {
    title: '解决方案',
    links: [
      { title: '行业', to: '/solution/industry/', note: '问卷、质量、医学、评价' },
      { title: '教育', to: '/solution/edu/', note: '论文与课堂' },
    ],
  },
  { title: '怎么用', to: '/introduction/' },
  { title: '帮助中心', to: '/help/' },
  {
    title: '更多服务',
    links: [
      { title: '价格', to: '/price/', note: '免费版与会员' },
      { title: '客户端', to: '/client/', note: '装到桌面，或自建' },
      { title: '企业版', to: '/enterprise', note: '一个单位一起用' },
      { title: '数据分析大赛', to: '/contest', note: '组队参赛，盲评打分' },
      { title: '商务合作', to: '/business-cooperation/' },
      { title: '文本查重', to: '/plagdet/' },
    ],
  },
];

export const SITE_FOOTER: readonly { title: string; links: readonly SiteLink[] }[] = [
  {
    title: '产品',
    links: [
      { title: '怎么用', to: '/introduction/' },
      { title: '价格', to: '/price/' },
      { title: '优惠活动', to: '/promo/' },
      { title: '客户端', to: '/client/' },
      { title: '企业版', to: '/enterprise' },
      { title: '各版本对比', to: '/enterprise-compare' },
    ],
  },
  {
    title: '帮助',
    links: [
      { title: '帮助中心', to: '/help/' },
      { title: '行业方案', to: '/solution/industry/' },
      { title: '教育方案', to: '/solution/edu/' },
      { title: '文本查重', to: '/plagdet/' },
    ],
  },
  {
    title: '关于',
    links: [
      { title: '关于衡析', to: '/about/' },
      { title: '商务合作', to: '/business-cooperation/' },
      { title: '用户协议', to: '/terms' },
      { title: '隐私协议', to: '/privacy' },
      { title: '付费服务协议', to: '/agreement' },
    ],
  },
];

/** Pages written at the build; the application leaves for them instead of drawing them. */
export const WRITTEN_PAGES = [
  '/solution',
  '/solution/industry',
  '/solution/edu',
  '/introduction',
  '/price',
  '/promo',
  '/client',
  '/business-cooperation',
  '/about',
  '/plagdet',
  '/help',
] as const;

/**
 * Menus are <details>, which open and close without a script. This adds what a pointer and a keyboard expect: Esc, a press
 * elsewhere and a focus that leaves close them; the sheet of phones keeps the focus inside. Returns what takes it off again.
 */
export function watchMenus(header: HTMLElement): () => void {
  const open = () => [...header.querySelectorAll('details')].filter((menu) => menu.open);
  const close = (menu: HTMLDetailsElement, isFocusing = false) => {
    menu.open = false;
    if (isFocusing) menu.querySelector('summary')?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    const [menu] = open();
    if (!menu) return;
    if (event.key === 'Escape') close(menu, true);
    if (event.key !== 'Tab' || !menu.hasAttribute('data-sheet')) return;
    const stops = [...menu.querySelectorAll<HTMLElement>('summary, a')];
    const [first, last] = [stops[0], stops.at(-1)];
    const from = event.shiftKey ? first : last;
    if (document.activeElement !== from) return;
    event.preventDefault();
    (event.shiftKey ? last : first)?.focus();
  };
  const onPress = ({ target }: Event) => {
    for (const menu of open()) if (!(target instanceof Node) || !menu.contains(target)) close(menu);
  };
  const onLeave = ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node)) return;
    for (const menu of open()) if (!menu.contains(relatedTarget)) close(menu);
  };
  const onFollow = ({ target }: Event) => {
    if (target instanceof Element && target.closest('a')) for (const menu of open()) close(menu);
  };
  document.addEventListener('keydown', onKey);
  document.addEventListener('pointerdown', onPress);
  header.addEventListener('focusout', onLeave);
  header.addEventListener('click', onFollow);
  return () => {
    document.removeEventListener('keydown', onKey);
    document.removeEventListener('pointerdown', onPress);
    header.removeEventListener('focusout', onLeave);
    header.removeEventListener('click', onFollow);
  };
}
