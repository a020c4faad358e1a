import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTemplate } from './parse.ts';
import { encodeTexts, renderTemplate } from './render.ts';

test('texts are encoded once, values when they are written, behind their escaping', () => {
  const calls: string[] = [];
  const encode = (piece: string) => {
    calls.push(piece);
    return `[${piece}]`;
  };
  const source = 'a{{x}}b{{#if y}}c{{#each l}}{{this}}d{{/each}}{{else}}e{{/if}}{{z default="f"}}';
  const template = encodeTexts(parseTemplate(source, 'html'), encode);
  assert.deepEqual(calls.splice(0), ['a', 'b', 'c', 'd', 'e']);
  const { text, missing } = renderTemplate(template, { x: '<', y: 1, l: [1, 2] });
  assert.equal(text, '[a][&lt;][b][c][1][d][2][d][f]');
  assert.deepEqual([calls, missing], [['&lt;', '1', '2', 'f'], []]);
  assert.equal(renderTemplate(template, {}).text, '[a][][b][e][f]');
});
