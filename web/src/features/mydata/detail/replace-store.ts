/** What stands in the bar of 查找和替换: it stays while one step after the other makes a new version, and so a new page. */
import { create } from 'zustand';

export interface ReplaceSettings {
  text: string;
  by: string;
  whole: boolean;
  case: boolean;
  pattern: boolean;
  /** Only these columns; null: all. */
  columns: string[] | null;
}

interface Bar {
  /** The file whose bar is open; null: it is closed. */
  fid: number | null;
  asked: ReplaceSettings;
}

const NOTHING: ReplaceSettings = { text: '', by: '', whole: false, case: false, pattern: false, columns: null };

export const useReplaceBar = create<Bar>(() => ({ fid: null, asked: NOTHING }));

/** Another file begins with nothing. */
export function openReplaceBar(fid: number): void {
  useReplaceBar.setState((old) => (old.fid === fid ? old : { fid, asked: NOTHING }));
}

export const closeReplaceBar = (): void => useReplaceBar.setState({ fid: null, asked: NOTHING });

export const changeAsked = (what: Partial<ReplaceSettings>): void =>
  useReplaceBar.setState(({ asked }) => ({ asked: { ...asked, ...what } }));
