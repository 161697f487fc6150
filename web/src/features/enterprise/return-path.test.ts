import { expect, it } from 'vitest';

import { isOwnPath } from './return-path.ts';

it('goes back to own paths only', () => {
  for (const own of ['/', '/analysis/index', '/dashboards/9?x=1', '/enterprise-compare'])
    expect(isOwnPath(own)).toBe(true);
  for (const other of [
    null,
    '',
    '//evil',
    '/\\evil',
    'javascript:alert(1)',
    'https://evil',
    '/enterprise',
    '/enterprise/7',
    '/enterprise?all=1',
    '/a\\b',
  ])
    expect(isOwnPath(other)).toBe(false);
});
