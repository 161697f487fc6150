/** Page titles: name plus the site's suffix; a full title overrides it (specification section 2). */
import { useEffect } from 'react';

export const SITE = '衡析';

export function pageTitle(name: string | null, full: string | null = null): string {
  if (full) return full;
  return name ? `${name} - ${SITE}` : SITE;
}

/** For pages whose title comes with their data; the route's title stands until then. */
export function usePageTitle(name: string | null, full: string | null = null): void {
  useEffect(() => {
    if (name || full) document.title = pageTitle(name, full);
  }, [name, full]);
}
