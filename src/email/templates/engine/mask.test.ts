import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskMustaches } from './mask.ts';

test('mustaches become spaces between tags and letters inside values, in their length', () => {
  const cases: Record<string, string> = {
    'a{{b}}c': 'a     c',
    '<p title="{{b}}" {{#if c}}lang={{d}}{{/if}}>{{e}}</p>': '<p title="xxxxx"          lang=xxxxxxxxxxxx>     </p>',
    '<title>{{b}}</title>{{! <p> }}': '<title>xxxxx</title>          ',
    '<a href="{{b default=">"}}">\\{{c}}': '<a href="xxxxxxxxxxxxxxxxx">\\{{c}}',
    '<table>{{#each a}}<tr>{{/each}}': '<table>           <tr>         ',
  };
  for (const [source, masked] of Object.entries(cases)) {
    assert.equal(maskMustaches(source), masked);
    assert.equal(masked.length, source.length);
  }
});
