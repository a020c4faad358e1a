import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { parseTemplate, type Template, TemplateMistake } from './parse.ts';
import { renderTemplate } from './render.ts';

const URL_ATTRIBUTES = new Set(['href', 'src', 'action']);
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const SAFE_SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'cid']);

const TAGS = ['p', 'a', 'td', 'IMG', 'title', 'textarea', 'form'];
const NAMES = ['title', 'class', 'HREF', 'src', 'action', 'alt', 'data-x'];
const BEGINNINGS = [
  '',
  ' ',
  'https://x.test/',
  'mailto:',
  '/a?b=',
  'java',
  'javascript',
  '#',
  'page',
  'x&amp;y=',
  'javascript:',
  'a:',
];
const MUSTACHES = [
  '{{a}}',
  '{{b}}',
  '{{{a}}}',
  '{{&b}}',
  '{{#if a}}{{b}}{{else}}{{c}}{{/if}}',
  '{{#each l}}{{this}}{{/each}}',
];
const JOINERS = ['', '', '', ':', '/', '?x=', '&y=', 'script:', 'script', ' '];

const anyMustache = fc.constantFrom(...MUSTACHES);
const anyValue = fc
  .tuple(fc.constantFrom(...BEGINNINGS), fc.array(fc.tuple(anyMustache, fc.constantFrom(...JOINERS)), { maxLength: 3 }))
  .map(([beginning, rest]) => beginning + rest.flat().join(''));
const anyAttribute = fc
  .tuple(fc.constantFrom(...NAMES), anyValue, fc.constantFrom('"', "'", ''), fc.constantFrom('', '#if a', '#unless a'))
  .map(([name, value, quote, block]) => {
    const written = ` ${name}=${quote}${quote === '' ? value.replaceAll(' ', '') : value}${quote}`;
    return block === '' ? written : `{{${block}}}${written} {{/${block.slice(1, block.indexOf(' '))}}}`;
  });
const anyElement = fc
  .tuple(fc.constantFrom(...TAGS), fc.array(anyAttribute, { maxLength: 3 }), fc.array(anyMustache, { maxLength: 2 }))
  .map(([tag, attributes, inside]) => `<${tag}${attributes.join('')}>${inside.join(' x ')}</${tag}>`);
const anyHtml = fc
  .array(
    fc.oneof(anyElement, anyMustache, fc.constantFrom('text ', '<!-- c -->', '<br/>', '< 3', '<style>p{}</style>')),
    {
      maxLength: 5,
    },
  )
  .map((parts) => parts.join('\n'));

const HOSTILE_PIECES = [
  'javascript',
  ':',
  'alert(1)',
  'java',
  'script',
  '\t',
  '\n',
  '\r',
  '\0',
  '\u0001',
  ' ',
  '\f',
  '\u00a0',
  '\u2028',

  '"',
  "'",
  '`',
  '<',
  '>',
  '/',
  '=',
  '&',
  '&#58;',
  '&colon;',
  '&quot;',
  '</title>',
  '</textarea>',
  '<script>',
  '<!--',
  '-->',
  ' onclick=x ',
  '{{a}}',
  '//',
  '?',
  '#',
  '\\',
  'data:',
  'https:',
  '%3A',
  '\ud800',
  'x',
];
const anyHostile = fc.oneof(
  fc.array(fc.constantFrom(...HOSTILE_PIECES), { maxLength: 6 }).map((pieces) => pieces.join('')),
  fc.constantFrom('javascript:alert(1)', 'java\tscript:alert(1)', '" onclick="x', '><script>', ''),
  fc.string({ unit: 'binary' }),
);

interface Shape {
  tags: string[];
  urls: string[];
}

function shapeOf(html: string): Shape {
  const shape: Shape = { tags: [], urls: [] };
  const parser = new Parser({
    onopentag(name, attributes) {
      shape.tags.push(`${name} ${Object.keys(attributes).join(' ')}`);
      for (const [key, value] of Object.entries(attributes)) if (URL_ATTRIBUTES.has(key)) shape.urls.push(value);
    },
    onclosetag: (name) => shape.tags.push(`/${name}`),
    oncomment: () => shape.tags.push('!--'),
  });
  parser.end(html);
  return shape;
}

test('no value changes the tags and attributes of the result, or the kind of a URL', () => {
  let tried = 0;
  let accepted = 0;
  fc.assert(
    fc.property(anyHtml, anyHostile, anyHostile, anyHostile, fc.boolean(), (source, a, b, c, isThere) => {
      tried += 1;
      const template = accept(source);
      if (template === null) return;
      accepted += 1;
      // The same branches are taken with harmless values.
      const hostile = renderTemplate(template, { a: isThere ? `${a}x` : '', b, c, l: [b, c] }).text;
      const harmless = renderTemplate(template, { a: isThere ? 'x' : '', b: 'y', c: 'z', l: ['y', 'z'] }).text;
      const shape = shapeOf(hostile);
      assert.deepEqual(shape.tags, shapeOf(harmless).tags, hostile);
      for (const url of shape.urls) assertSafe(url, source);
    }),
    { numRuns: 5_000 },
  );
  assert.ok(accepted > 0.6 * tried, `only ${accepted} of ${tried} templates were accepted`);
});

/** A scheme that the template itself wrote out, with no variable behind it, is its author's. */
function assertSafe(url: string, source: string): void {
  const scheme = SCHEME.exec(url.replace(/[\u0000-\u0020]/g, ''))?.[1]?.toLowerCase();
  if (scheme === undefined || SAFE_SCHEMES.has(scheme)) return;
  assert.match(source, new RegExp(`=["' ]*${scheme}:["' >]`, 'i'), url);
}

function accept(source: string): Template | null {
  try {
    return parseTemplate(source, 'html');
  } catch (error) {
    assert.ok(error instanceof TemplateMistake);
    return null;
  }
}

test('no value brings a line break or a control into a header', () => {
  fc.assert(
    fc.property(anyHostile, anyHostile, (a, b) => {
      const { text } = renderTemplate(parseTemplate('S: {{a}}{{{b}}}\n', 'header', { rawHtml: true }), { a, b });
      assert.doesNotMatch(text, /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      assert.equal(text.length, a.length + b.length + 4);
    }),
    { numRuns: 2_000 },
  );
});
