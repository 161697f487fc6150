/** Nothing in the interface leads to a page that does not exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { matchRoutes, type RouteObject } from 'react-router';
import { describe, expect, it } from 'vitest';

import { GUARDED_PATHS } from './lib/access.ts';
import { routes } from './routes.tsx';

const pathsOf = (list: readonly RouteObject[]): string[] =>
  list.flatMap((route) => [...(route.path === undefined ? [] : [route.path]), ...pathsOf(route.children ?? [])]);

/** A path of ours given to a link, a menu entry or a navigation; what is put into it at run time stands as 1. */
const LEADS = /(?:\b(?:to|href|url)(?:=\{?|: )|\b(?:navigate|redirect|go|assign)\()\s*['"`](\/(?!\/)[^'"`]*)['"`]/g;
/** Served by the server itself: calls, and files. */
const SERVED = /^\/(?:v1|algorithm|api|data|sandbox|health)\/|\.\w+$/;

function leads(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
    .flatMap((path) =>
      [...readFileSync(join(folder, path), 'utf8').matchAll(LEADS)].map(([, to = '']) =>
        to.replace(/\$\{[^}]*\}/g, '1').replace(/[?#].*$/, ''),
      ),
    )
    .filter((path) => !SERVED.test(path));
}

const isPage = (path: string): boolean => matchRoutes(routes, path)?.at(-1)?.route.path !== '*';

describe('pages', () => {
  it('are exactly those of the access table', () => {
    expect(pathsOf(routes).toSorted()).toEqual([...GUARDED_PATHS].toSorted());
  });

  it('stand behind every link, menu entry and navigation', () => {
    const all = leads(import.meta.dirname);
    expect(all).toContain('/mydata/index');
    expect(all).toContain('/member/aicount');
    expect([...new Set(all)].filter((path) => !isPage(path))).toEqual([]);
    expect(isPage('/prodraw/index')).toBe(false);
  });
});
