/** The version worked with: named in the address, else the last one, else the newest file; and what the address chooses of it. */
import type { Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';

import { isNotFound } from './api.ts';
import { findableFilesQuery, versionQuery } from './catalogue.ts';
import { readCurrentVid, writeCurrentVid } from './current.ts';
import { announceReplacement } from './missing-version.ts';

export interface Current {
  version: Version | null;
  waiting: boolean;
  params: URLSearchParams;
  choose: (vid: number) => void;
  /** Changes the address in place; an empty value leaves a key out. */
  set: (changes: Record<string, string>) => void;
}

export function useCurrent(): Current {
  const [params, setParams] = useSearchParams();
  const [stored] = useState(readCurrentVid);
  const [gone, setGone] = useState<{ vid: number; isMissing: boolean } | null>(null);
  const files = useQuery(findableFilesQuery);
  const asked = Number(params.get('vid') ?? '');
  const newest = files.data?.list[0]?.vid ?? null;
  const wanted = asked > 0 ? asked : (stored ?? newest);
  // A version that is gone is passed over; the page goes on with the newest file.
  const vid = wanted !== null && wanted === gone?.vid ? newest : wanted;
  const version = useQuery({ ...versionQuery(vid ?? 0), enabled: vid !== null });
  const isGone = version.isLoadingError || isNotFound(version.error);
  if (isGone && vid !== null && gone?.vid !== vid && vid !== newest)
    setGone({ vid, isMissing: isNotFound(version.error) });
  useEffect(() => {
    if (isGone) writeCurrentVid(null);
    else if (version.data !== undefined) writeCurrentVid(version.data.vid);
  }, [isGone, version.data]);

  const set = (changes: Record<string, string>): void => {
    const next = new URLSearchParams(params);
    for (const [key, value] of Object.entries(changes)) {
      if (value === '') next.delete(key);
      else next.set(key, value);
    }
    setParams(next, { replace: true });
  };
  const instead = gone?.isMissing === true && asked === gone.vid ? version.data : undefined;
  useEffect(() => {
    if (instead === undefined) return;
    announceReplacement(instead.name);
    set({ vid: String(instead.vid), columns: '' });
    // The address is corrected once, when the other data has come.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [instead]);
  return {
    version: vid === null || isGone ? null : (version.data ?? null),
    waiting: vid === null ? files.isPending : version.isPending,
    params,
    choose: (next) => set({ vid: String(next), columns: '' }),
    set,
  };
}
