/** Dialogs that any page may need and that belong to one feature each: asked for here, shown by the frame. */
import { create } from 'zustand';

export interface UnlockAsk {
  /** Of the method: group/key. */
  path: string;
  title: string;
}

export interface CopyAsk {
  name: string;
  files?: number[];
  projects?: number[];
  reports?: number[];
}

interface Prompts {
  login: boolean;
  /** The page that asked for the sign-in, where that page is to stay (contest, reward-square, vip-price). */
  source: string | null;
  /** What the server said when it asked for an upgrade (20002). */
  upgrade: string | null;
  /** The purchase dialog: 1 membership, 3 education; a package to start from. */
  purchase: { buy: 1 | 3; package: number | null } | null;
  /** The method that credits are to open for a time. */
  unlock: UnlockAsk | null;
  /** What is to be copied between the personal space and an enterprise, and how people call it. */
  copy: CopyAsk | null;
  palette: boolean;
  shortcuts: boolean;
  chat: boolean;
}

export const usePrompts = create<Prompts>(() => ({
  login: false,
  source: null,
  upgrade: null,
  purchase: null,
  unlock: null,
  copy: null,
  palette: false,
  shortcuts: false,
  chat: false,
}));

export const prompts = {
  openLogin: (source: string | null = null) => usePrompts.setState({ login: true, source }),
  /** A sign-in that goes on keeps the page that asked for it. */
  closeLogin: (goesOn = false) => usePrompts.setState(goesOn ? { login: false } : { login: false, source: null }),
  openUpgrade: (text: string) => usePrompts.setState({ upgrade: text }),
  closeUpgrade: () => usePrompts.setState({ upgrade: null }),
  openPurchase: (ask: { buy?: 1 | 3; package?: number | null } = {}) =>
    usePrompts.setState({ purchase: { buy: ask.buy ?? 1, package: ask.package ?? null } }),
  closePurchase: () => usePrompts.setState({ purchase: null }),
  openUnlock: (unlock: UnlockAsk) => usePrompts.setState({ unlock }),
  closeUnlock: () => usePrompts.setState({ unlock: null }),
  openCopy: (copy: CopyAsk) => usePrompts.setState({ copy }),
  closeCopy: () => usePrompts.setState({ copy: null }),
  openPalette: () => usePrompts.setState({ palette: true }),
  closePalette: () => usePrompts.setState({ palette: false }),
  openShortcuts: () => usePrompts.setState({ shortcuts: true }),
  closeShortcuts: () => usePrompts.setState({ shortcuts: false }),
  openChat: () => usePrompts.setState({ chat: true }),
  closeChat: () => usePrompts.setState({ chat: false }),
};
