/** Variables found by name, label, value label or pinyin. The order of the file is kept: a search narrows, it does not rank. */
import type { Column } from '@hengxi/server/files/schema';
import { useEffect, useMemo, useState } from 'react';

import { titleOf } from '../../../fields/column.ts';
import { loadPinyin, score } from '../../../lib/search.ts';

const LEVELS_SEARCHED = 50;

/** null: nothing is searched. */
export function useVariableSearch(columns: readonly Column[], query: string): readonly Column[] | null {
  const [pinyin, setPinyin] = useState(false);
  const asked = query.trim() !== '';
  useEffect(() => {
    if (asked) void loadPinyin().then(() => setPinyin(true));
  }, [asked]);
  return useMemo(() => {
    if (!asked) return null;
    const words = (column: Column) => [
      column.name,
      ...(column.levels ?? []).slice(0, LEVELS_SEARCHED).map((level) => level.label),
    ];
    return columns.filter((column) => score(query, { title: titleOf(column), words: words(column) }) > 0);
    // More matches once the pinyin table is there, although nothing else changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [columns, query, asked, pinyin]);
}
