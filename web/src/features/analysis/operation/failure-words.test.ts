import { describe, expect, test } from 'vitest';

import { failureDetail, failureTitle } from './failure-words.ts';
import { FAILURE_TEXT } from './run-control.ts';
import type { FailureKind } from './run-state.ts';

const KINDS = Object.keys(FAILURE_TEXT) as FailureKind[];

describe('a failure', () => {
  test.each(KINDS)('%s does not say its title twice', (kind) => {
    const failure = { kind, text: FAILURE_TEXT[kind] };
    expect(failureDetail(failure)).not.toContain(failureTitle(failure));
  });

  test('what the server says stays whole', () => {
    expect(failureDetail({ kind: 'network', text: FAILURE_TEXT.network })).toBe('设置保存在这台设备上');
    expect(failureDetail({ kind: 'refused', text: '“博士”组只有 1 例' })).toBe('“博士”组只有 1 例');
  });
});
