/** What the buttons of a word set in the form. */
import { expect, test } from 'vitest';

import { wordRemedy } from './word-actions.tsx';

const FORM = { stopwords: { builtin: '通用', id: 7, version: 3, extra: ['的'] }, synonyms: null, text: 'c1' };

test('a word is added to the lines of its dictionary, the rest stays', () => {
  expect(wordRemedy(FORM, 'add_stopword', '酒店')).toEqual({
    title: '停用：酒店',
    set: { stopwords: { builtin: '通用', id: 7, version: 3, extra: ['的', '酒店'] } },
  });
  expect(wordRemedy(FORM, 'rename', '宾馆', '酒店')?.set).toEqual({
    synonyms: { builtin: null, id: null, version: null, extra: ['酒店=宾馆'] },
  });
});

test('a form without such a dictionary, or one that has the line, offers nothing', () => {
  expect(wordRemedy(FORM, 'add_word', '酒店')).toBeNull();
  expect(wordRemedy(FORM, 'add_stopword', '的')).toBeNull();
});
