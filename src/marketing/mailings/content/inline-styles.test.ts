import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inline } from '@css-inline/css-inline-wasm';
import * as fc from 'fast-check';
import { parseTemplate, renderTemplate } from '../../../email/index.ts';
import { inlineStyles } from './inline-styles.ts';
import { ContentMistake } from './mistake.ts';

const CSS =
  '<style>p{color:red} .big{font-size:20px} td{padding:4px} a{color:blue} @media (max-width:9px){p{color:green}} a:hover{color:pink}</style>';

test('styles go into the tags, and everything else stays as it was', () => {
  const cases: Record<string, string> = {
    '<p>{{a}}': '<p style="color: red;">{{a}}',
    "<P CLASS=big style='margin: 0'>a &amp; b &copy; <BR>":
      '<P CLASS=big style="color: red;font-size: 20px;margin: 0">a &amp; b &copy; <BR>',
    '<table>{{#each rows}}<tr><td>{{this}}</td></tr>{{/each}}</table>':
      '<table>{{#each rows}}<tr><td style="padding: 4px;">{{this}}</td></tr>{{/each}}</table>',
    '<p {{#if a}}class="big"{{/if}} >x</p>': '<p {{#if a}}class="big"{{/if}} >x</p>',
    '<p class="{{#if a}}big{{/if}}" title="{{b default=">"}}">':
      '<p style="color: red;" class="{{#if a}}big{{/if}}" title="{{b default=">"}}">',
    '{{#if a}}<p class="big">{{else}}<p>{{/if}}x</p>':
      '{{#if a}}<p style="color: red;font-size: 20px;" class="big">{{else}}<p style="color: red;">{{/if}}x</p>',
    '<!--[if mso]><p>x</p><![endif]-->\\{{a}} {{! <p> }}': '<!--[if mso]><p>x</p><![endif]-->\\{{a}} {{! <p> }}',
  };
  for (const [source, expected] of Object.entries(cases)) assert.equal(inlineStyles(CSS + source), CSS + expected);
  assert.equal(inlineStyles('<p>no styles'), '<p>no styles');
});

test('no stylesheet is fetched', () => {
  const source = `<link rel="stylesheet" href="package.json"><link rel="stylesheet" href="http://127.0.0.1:9/a.css">
    <link rel="stylesheet" href="file:///etc/passwd"><style>@import url("http://127.0.0.1:9/b.css"); p{color:red}</style><p>x`;
  assert.equal(inlineStyles(source), source.replace('<p>', '<p style="color: red;">'));
});

const looks = (rules: number) => `<style>${'x~x{}'.repeat(rules)}</style>${'<p>'.repeat(3_000)}`;

const distinct = (count: number, css: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => css(i)).join('');

const styled = (own: number) =>
  `<style>p{${distinct(10_000, (i) => `p${i}:b;`)}}</style><p style="${distinct(own, (i) => `a${i}:b;`)}">`;

test('styles that would be looked for in too many others are refused, and those of a large mail are not', () => {
  assert.match(inlineStyles(styled(6_000)), /<p style="p0: b/);
  assert.throws(() => inlineStyles(styled(9_000)), ContentMistake);
  assert.throws(() => inlineStyles(styled(9_000).replaceAll('b;a', 'b&#59;a')), ContentMistake);
  const cell = `<td style="${distinct(12, (i) => `a${i}:b;`)}"></td>`;
  const rules = distinct(150, (i) => `td.c${i},td{color:red;margin:${i}px;padding:0}`);
  assert.match(inlineStyles(`<style>${rules}</style><table><tr>${cell.repeat(1_500)}</table>`), /color: red/);
});

test('styles that would be written into too many elements are refused, and those of a large mail are not', () => {
  assert.equal(inlineStyles(looks(107)), looks(107));
  const row =
    '<tr><td class="cell c1 c2" id="i3"><p class="c4">a <a href="https://example.org/">b</a></p><span>c</span></td></tr>';
  const rules = Array.from({ length: 60 }, (_, i) => {
    const all = 'font-family:Arial,sans-serif;margin:0 auto 10px 0;color:#112233;border:1px solid #ccc';
    return `td,th.c${i}{${all}} .c${i} .cell{${all}} #i${i}>p a{${all}} table .c${i} td p{${all}} .none${i}:hover{${all}}`;
  });
  const large = `<style>${rules.join('\n')}@media (max-width:600px){${rules.join('\n')}}</style><table>${row.repeat(300)}</table>`;
  assert.match(inlineStyles(large), /<td style="/);
  const hostile = [
    looks(108),
    // These took a minute, and made several hundred times as much of themselves.
    `<style>${distinct(2_000, (i) => `p{a${i}:b}`)}</style>${'<p>'.repeat(2_000)}`,
    `<style>p{${distinct(25_000, (i) => `a${i}:b;`)}}</style><p>`,
    `<style>p{( } .none{ } );a:${'b'.repeat(100_000)}}</style>${'<p>'.repeat(2_000)}`,
    `<style>.a{b:${'c'.repeat(100_000)}}</style>${'<p class="&#97;">'.repeat(2_000)}`,
    `<style>p{a:${'b'.repeat(100_000)}}</style>${'</p>'.repeat(2_000)}`,
    `<style>b{}</style><p>${'<b>'.repeat(390)}${'</p><p>'.repeat(2_000)}`,
  ];
  for (const html of hostile) {
    assert.throws(
      () => inlineStyles(html),
      (error) => error instanceof ContentMistake && error.message === 'html: has too many styles for its elements',
      html.slice(0, 60),
    );
  }
});

const anyText = fc.constantFrom(
  'x',
  ' a &amp; b ',
  '{{a}}',
  '{{b default="d"}}',
  '{{#if c}}<b>y</b>{{else}}z{{/if}}',
  '<br>',
);
const anyClass = fc.constantFrom('', ' class="big"', ' class="other" title="{{a}}"', ' style="margin: 0" lang={{a}}');
const anyHtml = fc.letrec<{ parts: string; part: string }>((tie) => ({
  parts: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { depthSize: 'small' },
    anyText,
    fc
      .tuple(anyClass, fc.array(anyText, { maxLength: 3 }))
      .map(([attributes, texts]) => `<p${attributes}>${texts.join('')}</p>`),
    fc.tuple(anyClass, tie('parts')).map(([attributes, parts]) => `<div${attributes}>${parts}</div>`),
    fc
      .tuple(anyClass, tie('parts'))
      .map(
        ([attributes, parts]) =>
          `<table><tbody>{{#each l}}<tr><td${attributes}>${parts}</td></tr>{{/each}}</tbody></table>`,
      ),
    tie('parts').map((parts) => `{{#if c}}${parts}{{else}}<p class="big">else</p>{{/if}}`),
  ),
}));

test('to inline and then to render is to render and then to inline', () => {
  const options = { keepStyleTags: true, loadRemoteStylesheets: false };
  fc.assert(
    fc.property(anyHtml.parts, fc.boolean(), (parts, c) => {
      const source = `<!doctype html><html><head>${CSS}</head><body>${parts}</body></html>`;
      const variables = { a: 'value', c, l: ['one', 'two'] };
      const render = (html: string) => renderTemplate(parseTemplate(html, 'html'), variables).text;
      const inlinedLast = inline(render(source), options);
      // Written anew without a rule to apply, so that both have the same form.
      const asWritten = (html: string) => inline(html, { ...options, inlineStyleTags: false });
      assert.equal(withoutForm(asWritten(render(inlineStyles(source)))), withoutForm(inlinedLast));
    }),
    { numRuns: 500 },
  );
});

/** The order of attributes and the end of a style say nothing. */
function withoutForm(html: string): string {
  return html.replace(/<(\w+)((?: [\w-]+="[^"]*")+)>/g, (_, name, attributes) => {
    const sorted = attributes.match(/[\w-]+="[^"]*"/g).toSorted();
    return `<${name} ${sorted.join(' ').replace(/;\s*"/g, '"')}>`;
  });
}
