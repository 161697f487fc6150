import { afterEach, expect, test } from 'vitest';

import { readStepDraft, writeStepDraft } from './step-draft.ts';

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
