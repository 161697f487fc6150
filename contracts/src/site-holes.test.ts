import { expect, it } from 'vitest';
import { fillHoles, sampleFacts } from './site-holes.ts';

const facts = sampleFacts();

it('puts texts in escaped, once: what is filled in is not read again', () => {
  const evil = { ...facts, texts: { ...facts.texts, 'company.name': '<script>"x"</script>{{origin}}' } };
  expect(fillHoles('<p title="{{company.name}}">{{origin}}</p>', evil)).toBe(
    '<p title="&lt;script&gt;&quot;x&quot;&lt;/script&gt;{{origin}}">origin</p>',
  );
});

it('puts texts into JSON so that they end neither the string nor the script', () => {
  const evil = { ...facts, texts: { ...facts.texts, 'company.name': '"</script>' } };
  const json = fillHoles('{"name":"{{json:company.name}}"}', evil);
  expect(json).not.toContain('</');
  expect(JSON.parse(json)).toEqual({ name: '"</script>' });
});

it('repeats for each row, and leaves out what is empty', () => {
  const row = { title: 'a', description: '', price: '1', before: '', discount: '', term: '' };
  const some = {
    ...facts,
    lists: { ...facts.lists, packages: [row, { ...row, title: '{{origin}}', before: '2' }], edu: [] },
  };
  const page =
    '<hx-each of="packages"><li>{{title}}<hx-if has="before"><s>{{before}}</s></hx-if></li></hx-each>' +
    '<hx-unless has="edu">none</hx-unless><hx-if has="edu">some</hx-if><hx-if has="packages">!</hx-if>';
  expect(fillHoles(page, some)).toBe('<li>a</li><li>{{origin}}<s>2</s></li>none!');
});

it('refuses names that nobody knows', () => {
  expect(() => fillHoles('{{methods.totl}}', facts)).toThrow('methods.totl');
  expect(() => fillHoles('<hx-each of="prices"></hx-each>', facts)).toThrow('prices');
  expect(() => fillHoles('<hx-if has="toString"></hx-if>', facts)).toThrow('toString');
});
