/** Frame of pages that visitors read and signed-in people come to from their menu: each sees the one they know. */
import { lazy, Suspense } from 'react';

import { useSession } from '../../lib/session.ts';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { PublicFrame } from './public-frame.tsx';

const WorkspaceFrame = lazy(async () => ({ default: (await import('./workspace-frame.tsx')).WorkspaceFrame }));

export function EitherFrame() {
  const isSignedIn = useSession((state) => state.token !== null);
  return isSignedIn ? (
    <Suspense fallback={<PageSkeleton />}>
      <WorkspaceFrame />
    </Suspense>
  ) : (
    <PublicFrame />
  );
}
