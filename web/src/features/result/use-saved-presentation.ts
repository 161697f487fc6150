/** The presentation of a report as the server keeps it: read once, written soon after the last change and on leaving. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';

import { toast } from '../../lib/toast.ts';
import { type Presentation, readPresentation } from '@hengxi/contracts/report/presentation';
import { configQuery, type Place, savePresentation } from './queries.ts';

const SOON_MS = 700;

export interface SavedPresentation {
  value: Presentation | undefined;
  change: (next: Presentation) => void;
}

export function useSavedPresentation(place: Place): SavedPresentation {
  const config = useQuery(configQuery(place));
  const [own, setOwn] = useState<Presentation | null>(null);
  const pending = useRef<Presentation | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const { project_id, report_id } = place;

  const write = useCallback(() => {
    clearTimeout(timer.current);
    const next = pending.current;
    if (next === null) return;
    pending.current = null;
    savePresentation({ project_id, report_id }, next).catch(() => toast.warn('显示设置没有保存，请检查网络'));
  }, [project_id, report_id]);

  useEffect(() => {
    addEventListener('pagehide', write);
    return () => {
      removeEventListener('pagehide', write);
      write();
      setOwn(null);
    };
  }, [write]);

  const change = useCallback(
    (next: Presentation) => {
      setOwn(next);
      pending.current = next;
      clearTimeout(timer.current);
      timer.current = setTimeout(write, SOON_MS);
    },
    [write],
  );

  const stored = config.isPending ? undefined : readPresentation(config.data?.presentation);
  return { value: own ?? stored, change };
}
