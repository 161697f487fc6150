/** Dialogs that any page may need and that belong to one feature each: asked for here, shown by the frame. */
import { create } from 'zustand';

interface Prompts {
  login: boolean;
  /** What the server said when it asked for an upgrade (20002). */
  upgrade: string | null;
  palette: boolean;
  shortcuts: boolean;
}

export const usePrompts = create<Prompts>(() => ({ login: false, upgrade: null, palette: false, shortcuts: false }));

export const prompts = {
  openLogin: () => usePrompts.setState({ login: true }),
  closeLogin: () => usePrompts.setState({ login: false }),
  openUpgrade: (text: string) => usePrompts.setState({ upgrade: text }),
  closeUpgrade: () => usePrompts.setState({ upgrade: null }),
  openPalette: () => usePrompts.setState({ palette: true }),
  closePalette: () => usePrompts.setState({ palette: false }),
  openShortcuts: () => usePrompts.setState({ shortcuts: true }),
  closeShortcuts: () => usePrompts.setState({ shortcuts: false }),
};
