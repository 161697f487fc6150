/** Which block's note is being written: tools open it, the block shows the box. */
import { create } from 'zustand';

interface Noting {
  /** Key of the block; null = none. */
  at: string | null;
  open: (key: string) => void;
  close: () => void;
}

export const useNoting = create<Noting>((set) => ({
  at: null,
  open: (at) => set({ at }),
  close: () => set({ at: null }),
}));
