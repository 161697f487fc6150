import { afterEach, expect, test } from 'vitest';

import { readStepDraft, visitOf, writeStepDraft } from './step-draft.ts';

const PLACE = { vid: 7, path: 'data_processing/binning', step: null, visit: 'a' };

afterEach(() => localStorage.clear());

test('settings that are not applied come back on any visit, but replace what a visit was handed only after a reload', () => {
  writeStepDraft(PLACE, { bins: 4 });
  const later = { ...PLACE, visit: 'b' };
  expect(readStepDraft(PLACE, true)).toEqual({ bins: 4 });
  expect(readStepDraft(later, false)).toEqual({ bins: 4 });
  expect(readStepDraft(later, true)).toBeNull();
  expect(readStepDraft({ ...PLACE, vid: 8 }, false)).toBeNull();
  expect(readStepDraft({ ...PLACE, step: 3 }, false)).toBeNull();
  writeStepDraft(PLACE, null);
  expect(readStepDraft(PLACE, false)).toBeNull();
});

test('two tabs opened at different addresses are two visits, however an address is written', () => {
  writeStepDraft({ ...PLACE, visit: visitOf({ key: 'default', search: '?method=g/m&columns=c1' }) }, { bins: 4 });
  const second = { ...PLACE, visit: visitOf({ key: 'default', search: '?method=g/m&columns=c2' }) };
  expect(readStepDraft(second, true)).toBeNull();
  const reloaded = { ...PLACE, visit: visitOf({ key: 'default', search: '?method=g%2Fm&columns=c1' }) };
  expect(readStepDraft(reloaded, true)).toEqual({ bins: 4 });
});
