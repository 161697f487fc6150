/** Undo and redo of whole steps: the head of the file moves; on an older version there is nothing to undo. */
import type { Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';

import { fileQuery, moveHead, refreshVersions } from './queries.ts';

export interface StepMoves {
  /** Null where there is nothing to undo or to do again. */
  undo: (() => void) | null;
  redo: (() => void) | null;
}

export function useStepMoves(version: Pick<Version, 'vid' | 'fid'>, onVersion: (vid: number) => void): StepMoves {
  const file = useQuery(fileQuery(version.fid)).data;
  const isHead = file?.vid === version.vid;
  const to = (vid: number | null): (() => void) | null =>
    vid === null
      ? null
      : () => {
          moveHead(version.fid, vid).then(
            async () => {
              await refreshVersions();
              onVersion(vid);
            },
            () => undefined,
          );
        };
  return { undo: to(isHead ? file.undo : null), redo: to(isHead ? file.redo : null) };
}
