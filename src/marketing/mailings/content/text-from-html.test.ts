import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findMustaches, parseTemplate } from '../../../email/index.ts';
import { textFromHtml } from './text-from-html.ts';

const CASES: Record<string, string> = {
  '<title>t</title><style>p{}</style><h1>Héllo {{a}}</h1><p>b &amp; c</p>': 'Héllo {{a}}\n\nb & c\n',
  '<a href="https://x.test/?a=1&amp;b={{c default="d"}}">Go</a>': 'Go <https://x.test/?a=1&b={{c default="d"}}>\n',
  '<a href="https://x.test/">https://x.test/</a><a href="#top">up</a>': 'https://x.test/up\n',
  '<p>a</p>{{#if b}}<p>c</p>{{else}}<p>{{d}}</p>{{/if}}': 'a\n\n{{#if b}}\n\nc\n\n{{else}}\n\n{{d}}\n\n{{/if}}\n',
  '<table>{{#each l}}<tr><td>{{this}}</td><td>x</td></tr>{{/each}}</table>': '{{#each l}}\n{{this}}\nx\n{{/each}}\n',
  '<p title="{{a}}" {{#if b}}class="c"{{/if}}>d<img src="https://x.test/" alt="{{e}}">{{! f }}</p>': 'd\n',
  '<p>\\{{a}} &#123;{b}}</p>': '\\{{a}} \\{{b}}\n',
  '\\<b>{{a}}</b> \\\\{{b}}': '\\\\{{a}} \\\\{{b}}\n',
  '<ul><li>a</li><li>b</li></ul>': ' * a\n * b\n'.trimStart(),
};

test('the text of HTML is what a reader of it sees, with its links and its mustaches', () => {
  for (const [html, text] of Object.entries(CASES)) {
    assert.equal(textFromHtml(html), text, html);
    parseTemplate(text, 'text');
  }
});

test('long lines are broken, but never inside a mustache', () => {
  const text = textFromHtml(`<p>${'word {{name default="a b c"}} '.repeat(40)}</p>`);
  assert.equal(text.match(/\{\{name default="a b c"\}\}/g)?.length, 40);
  assert.ok(text.split('\n').length > 10);
  for (const line of textFromHtml(`<p>${'some words '.repeat(50)}`).split('\n')) assert.ok(line.length <= 76, line);
});

const anyPart = fc.constantFrom(
  '<p>a',
  '</p>',
  '<table><tr><td>',
  '</table>',
  '{{b}}',
  '{{#if c}}<b>d</b>{{else}}<br>{{/if}}',
  '{{#each l}}<li>{{this}}</li>{{/each}}',
  '<a href="https://x.test/">e</a>',
  '<pre>\n f  g</pre>',
  '<ol><li>h',
  'word word word word ',
  '<blockquote>i</blockquote>',
);

const mustachesOf = (source: string) => findMustaches(source).map(({ from, to }) => source.slice(from, to));

test('the mustaches of the text are those of the HTML, in their order', () => {
  fc.assert(
    fc.property(fc.array(anyPart, { maxLength: 15 }), (parts) => {
      const html = parts.join('');
      const text = textFromHtml(html);
      assert.deepEqual(mustachesOf(text), mustachesOf(html));
      parseTemplate(text, 'text');
    }),
    { numRuns: 500 },
  );
});
