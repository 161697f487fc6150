import { afterEach, expect, test } from 'vitest';

import { type DraftKey, readDraft, writeDraft } from './drafts.ts';

afterEach(() => localStorage.clear());

const key = (n: number): DraftKey => `hx_draft:test${n}`;

test('the oldest drafts make room, one that was dropped takes none', () => {
  for (let n = 0; n < 59; n += 1) writeDraft(key(n), { n });
  writeDraft(key(100), { n: 100 });
  writeDraft(key(100), null);
  expect(readDraft(key(100))).toBeNull();
  writeDraft(key(59), { n: 59 });
  expect(readDraft(key(0))).toEqual({ n: 0 });
  writeDraft(key(60), { n: 60 });
  expect([readDraft(key(0)), readDraft(key(1)), readDraft(key(60))]).toEqual([null, { n: 1 }, { n: 60 }]);
});

test('what cannot be read is no draft', () => {
  localStorage.setItem('hx_draft:x', '{');
  localStorage.setItem('hx_drafts', '7');
  expect(readDraft('hx_draft:x')).toBeNull();
  writeDraft('hx_draft:x', [1]);
  expect(readDraft('hx_draft:x')).toEqual([1]);
});
