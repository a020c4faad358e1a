import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { DEEPEST_NESTING, LONGEST_MUSTACHE, LONGEST_SOURCE, MOST_NODES } from './bounds.ts';
import { parseTemplate, TemplateMistake } from './parse.ts';
import { RenderLimit, renderTemplate } from './render.ts';

const REFUSED: Record<string, [line: number, column: number, rule: RegExp]> = {
  'a\n {{> p}}': [2, 2, /partials/],
  '{{#> p}}x{{/p}}': [1, 1, /partials/],
  '{{#*inline "p"}}x{{/inline}}': [1, 1, /inline partials/],
  '{{* d}}': [1, 1, /decorators/],
  '{{lookup a "b"}}': [1, 1, /helpers/],
  '{{log a}}': [1, 1, /helpers/],
  '{{log}}': [1, 1, /reserved/],
  '{{helper a=1}}': [1, 1, /helpers/],
  '{{a=1}}': [1, 1, /named arguments/],
  '{{(a)}}': [1, 3, /subexpressions/],
  '{{(a).b}}': [1, 3, /subexpressions/],
  '{{a (b c)}}': [1, 1, /helpers/],
  '{{#if (b c)}}{{/if}}': [1, 7, /subexpressions/],
  '{{#if a b}}{{/if}}': [1, 1, /one argument/],
  '{{#if a includeZero=true}}{{/if}}': [1, 1, /named arguments/],
  '{{#if}}{{/if}}': [1, 1, /one argument/],
  '{{#if a as |b|}}{{/if}}': [1, 1, /name their values/],
  '{{#each a as |b c d|}}{{/each}}': [1, 1, /too many values/],
  '{{#with a as |b c|}}{{/with}}': [1, 1, /too many values/],
  '{{#a}}{{/a}}': [1, 1, /only the blocks/],
  '{{#"if" a}}{{/"if"}}': [1, 1, /only the blocks/],
  '{{#if a}}{{else b}}{{/if}}': [1, 10, /only the blocks/],
  '{{^if a}}{{/if}}': [1, 1, /inverted/],
  '{{{{raw}}}}{{a}}{{{{/raw}}}}': [1, 1, /raw blocks/],
  '{{"a"}}': [1, 3, /literal/],
  '{{#each "abc"}}{{/each}}': [1, 9, /literal/],
  '{{@level}}': [1, 3, /@ names/],
  '{{@index}}': [1, 3, /outside #each/],
  '{{#each a}}{{@../index}}{{/each}}': [1, 14, /outside #each/],
  '{{#each a}}{{else}}{{@key}}{{/each}}': [1, 22, /outside #each/],
  '{{../a}}': [1, 3, /outermost/],
  '{{#if a}}{{../a}}{{/if}}': [1, 12, /outermost/],
  '{{a.#b}}': [1, 3, /private/],
  '{{a\\b}}': [1, 4, /backslash/],
  'a\0': [1, 2, /U\+0000/],
  'a\n{{#if a}}\n{{#if b}}{{/if}}': [2, 1, /not closed/],
  '{{#if a}}\n{{/each}}': [1, 4, /not valid/],
  'a\n {{/if}}': [2, 2, /not opened/],
  '{{else if a}}': [1, 1, /outside a block/],
  '{{else}}': [1, 1, /not valid/],
  '{{': [1, 1, /must be closed/],
  '{{}}': [1, 3, /not valid/],
  '{{a}}}': [1, 4, /not valid/],
  '{{a.[b}}': [1, 1, /must be closed/],
  '{{!-- a }}': [1, 1, /comment is not closed/],
  '{{! a': [1, 1, /comment is not closed/],
  '{{a/../b}}': [1, 3, /not valid/],
  // Indexes are given brackets for the parser, which nobody sees in the columns.
  '{{a.0}}\n{{a.0}} {{#if b.12}}{{> x}}{{/if}}': [2, 21, /partials/],
};

test('what is not supported is refused with its line, its column and the rule', () => {
  for (const [source, [line, column, rule]] of Object.entries(REFUSED)) {
    for (const kind of ['html', 'header'] as const) {
      const found = mistakeIn(source, kind);
      assert.match(found.message, rule, source);
      assert.match(found.message, /^line \d+, column \d+: /);
      assert.deepEqual([found.line, found.column], [line, column], source);
    }
  }
});

test('a mistake never repeats what was submitted', () => {
  for (const source of [
    '{{secret',
    '{{#secret}}{{/secret}}',
    '{{secret secret}}',
    '{{secret}}}',
    '{{secret/..}}',
    '{{> secret}}',
  ]) {
    assert.doesNotMatch(mistakeIn(source).message, /secret/);
  }
});

const nested = (depth: number) => `${'{{#if a}}'.repeat(depth)}x${'{{/if}}'.repeat(depth)}`;
const chained = (depth: number) => `{{#if a}}${'{{else if a}}'.repeat(depth - 1)}x{{/if}}`;
const spaced = (length: number) => `{{a${' '.repeat(length - 5)}}}`;

test('each bound holds exactly', () => {
  const bounds: [bound: number, make: (size: number) => string, rule: RegExp][] = [
    [LONGEST_SOURCE, (size) => 'a'.repeat(size), /bytes/],
    [LONGEST_SOURCE, (size) => 'a'.repeat(size % 2) + 'ü'.repeat(Math.floor(size / 2)), /bytes/],
    [DEEPEST_NESTING, nested, /deep/],
    [DEEPEST_NESTING, chained, /deep/],
    [DEEPEST_NESTING, (size) => nested(size).replaceAll('{{#', '\\\\{{#'), /deep/],
    [
      DEEPEST_NESTING,
      (size) => nested(size).replaceAll('{{#if a}}', '{{~#each\na}}').replaceAll('/if', '/each'),
      /deep/,
    ],
    [MOST_NODES, (size) => '{{a}}'.repeat(size), /parts/],
    [MOST_NODES, (size) => '{{!}}'.repeat(size), /parts/],
    [MOST_NODES, (size) => 'a{{b}}'.repeat(size / 2) + '{{b}}'.repeat(size % 2), /parts/],
    [MOST_NODES, (size) => '\\{{a'.repeat(Math.floor((size - 1) / 2)) + '{{b}}'.repeat(1 - (size % 2)), /parts/],
    [LONGEST_MUSTACHE, spaced, /within/],
  ];
  for (const [bound, make, rule] of bounds) {
    assert.doesNotThrow(() => parseTemplate(make(bound - 1), 'header'));
    assert.doesNotThrow(() => parseTemplate(make(bound), 'header'));
    assert.match(mistakeIn(make(bound + 1)).message, rule);
  }
});

test('blocks that close again are not nested', () => {
  assert.doesNotThrow(() => parseTemplate(chained(20).repeat(50) + nested(20).repeat(50), 'html'));
});

test('hostile sources are refused at once', () => {
  const sources = [
    '{{'.repeat(500_000),
    '{{'.repeat(200_000),
    '\\{{'.repeat(170_000),
    '{{!'.repeat(170_000),
    '{{!--'.repeat(100_000),
    nested(10_000),
    chained(10_000),
    '{{^a}}'.repeat(10_000),
    '{{~#\nif a}}'.repeat(10_000),
    '{{else a}}'.repeat(10_000),
    `{{"{{/if}}"}}{{#if a}}`.repeat(10_000),
    `{{a${'.a'.repeat(200_000)}}}`,
    `{{${'('.repeat(200_000)}`,
    `{{"${'a'.repeat(200_000)}`,
    `{{${'['.repeat(200_000)}`,
    `{{${' '.repeat(500_000)}`,
  ];
  const start = performance.now();
  for (const source of sources) mistakeIn(source);
  assert.ok(performance.now() - start < 5_000);
});

const PIECES = [
  '{{',
  '}}',
  '{{{',
  '}}}',
  '{{#if a}}',
  '{{#each a}}',
  '{{#with a}}',
  '{{else}}',
  '{{else if b}}',
  '{{/if}}',
  '{{/each}}',
  '{{/with}}',
  '{{a}}',
  '{{this}}',
  '{{../a}}',
  '{{@index}}',
  '{{a.0}}',
  '{{!',
  '{{!--',
  '--}}',
  '~',

  '\\',
  '\\\\',
  '"',
  "'",
  '[',
  ']',
  '<',
  '>',
  '</',
  '<a href=',
  '<p title="',
  '<!--',
  '-->',
  '<script>',
  '</script>',
  '=',
  '&',
  '#',
  ':',
  '/',
  ' ',
  '\n',
  '\r',
  '\0',
  'a',
  '0',
  '|',
  ' as |x|',
  '(',
  ')',
  '@',
  '^',
  '\ud800',
];
const anySource = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary' }),
);

test('whatever the source and the data, only the two errors are thrown', () => {
  const anyData = fc.oneof(fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.jsonValue()), fc.object());
  fc.assert(
    fc.property(anySource, anyData, fc.boolean(), fc.constantFrom('html', 'header'), (source, data, rawHtml, kind) => {
      try {
        renderTemplate(parseTemplate(source, kind, { rawHtml }), data);
      } catch (error) {
        assert.ok(error instanceof TemplateMistake || error instanceof RenderLimit, String(error));
        if (!(error instanceof TemplateMistake)) return;
        const lines = source.split(/\r\n?|\n/);
        assert.ok(error.line >= 1 && error.line <= lines.length);
        assert.ok(error.column >= 1 && error.column <= (lines[error.line - 1] as string).length + 1);
      }
    }),
    { numRuns: 5_000 },
  );
});

test('a template without mustaches is its own result', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), anySource, (one, other) => {
      const source = `${one}${other}`.replaceAll('\0', '').replace(/\{(?=\{)/g, '{ ');
      assert.deepEqual(renderTemplate(parseTemplate(source, 'html'), {}), { text: source, missing: [] });
    }),
    { numRuns: 2_000 },
  );
});

function mistakeIn(source: string, kind: 'html' | 'header' = 'html'): TemplateMistake {
  try {
    parseTemplate(source, kind);
  } catch (error) {
    assert.ok(error instanceof TemplateMistake, String(error));
    return error;
  }
  return assert.fail(`accepted: ${source.slice(0, 80)}`);
}
