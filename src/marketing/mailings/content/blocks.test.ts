import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Parser } from 'htmlparser2';
import type { Block, SimpleBlock } from './blocks.ts';
import { blocksToMjml } from './blocks-to-mjml.ts';
import { ContentMistake } from './mistake.ts';
import { mjmlToHtml } from './mjml-to-html.ts';
import { readBlocks } from './read-blocks.ts';

// Its package has no types.
const require = createRequire(import.meta.url);
const mjml2html = require('mjml') as (
  mjml: string,
  options: { validationLevel: 'soft' },
) => Promise<{ html: string; errors: unknown[] }>;

/** What a reader sees and can reach: texts, links and pictures in their order. */
function visibleIn(html: string): { text: string; links: string[]; pictures: string[] } {
  const found = { text: '', links: [] as string[], pictures: [] as string[] };
  let hidden = 0;
  const parser = new Parser({
    onopentag(name, { href, src, alt }) {
      if (name === 'head') hidden += 1;
      if (name === 'a' && href !== undefined) found.links.push(href);
      if (name === 'img') found.pictures.push(`${src} ${alt}`);
    },
    ontext(text) {
      if (hidden === 0) found.text += text;
    },
    onclosetag(name) {
      if (name === 'head') hidden -= 1;
      else found.text += ' ';
    },
  });
  parser.end(html);
  return { ...found, text: found.text.replace(/\s+/g, ' ').trim() };
}

const anyText = fc
  .array(
    fc.constantFrom('Hello', ' ', 'a & b', '<b>', '"q"', "'", 'é✓', '\n', '{{name}}', '{{a.b}}', '{{#if a}}x{{/if}}'),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => `T${parts.join('')}`);
const anyUrl = fc.constantFrom(
  'https://x.test/',
  'https://x.test/?a=1&b=2',
  'https://x.test/{{name}}?c={{city}}&d=e',
  'mailto:a@x.test',
);
const anyAlign = fc.constantFrom({}, { align: 'center' as const });
const anyRun = fc
  .record({ text: anyText, bold: fc.boolean(), italic: fc.boolean(), link: fc.option(anyUrl) })
  .map(({ text, link, ...rest }) => ({
    text: text.replaceAll('\n', ' '),
    ...rest,
    ...(link === null ? {} : { link }),
  }));
const anyPart = fc.record({
  type: fc.constantFrom('paragraph' as const, 'bullets' as const, 'numbers' as const),
  lines: fc.array(fc.array(anyRun, { maxLength: 3 }), { minLength: 1, maxLength: 3 }),
});
const anyRich: fc.Arbitrary<SimpleBlock> = fc.oneof(
  fc.record({ type: fc.constant('rich_text' as const), parts: fc.array(anyPart, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    type: fc.constant('social' as const),
    links: fc.array(fc.record({ label: anyText, url: anyUrl }), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ type: fc.constant('footer' as const), text: anyText, unsubscribe: anyText }),
  fc.record({ type: fc.constant('image' as const), url: anyUrl, alt: anyText, link: anyUrl, width: fc.constant(200) }),
  fc.record({ type: fc.constant('spacer' as const), height: fc.constant(40) }),
  fc.record({ type: fc.constant('heading' as const), text: anyText, level: fc.integer({ min: 1, max: 3 }) }),
);
const anySimple: fc.Arbitrary<SimpleBlock> = fc.oneof(
  fc.tuple(anyRich, anyAlign).map(([block, align]) => (block.type === 'rich_text' ? { ...block, ...align } : block)),
  fc.record({ type: fc.constant('heading' as const), text: anyText }),
  fc.record({ type: fc.constant('text' as const), text: anyText }),
  fc.record({ type: fc.constant('button' as const), label: anyText, url: anyUrl }),
  fc.record({ type: fc.constant('image' as const), url: anyUrl, alt: anyText }),
  fc.record({ type: fc.constantFrom('divider' as const, 'spacer' as const) }),
);
const anyBlock: fc.Arbitrary<Block> = fc.oneof(
  { weight: 4, arbitrary: anySimple },
  fc.record({
    type: fc.constant('columns' as const),
    columns: fc.array(fc.array(anySimple, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 3 }),
  }),
);
const anyBlocks = fc.array(anyBlock, { minLength: 1, maxLength: 5 });

test('blocks look to their readers as the reference compiler of MJML shows them', async () => {
  await fc.assert(
    fc.asyncProperty(anyBlocks, async (blocks) => {
      const mjml = blocksToMjml(readBlocks(blocks));
      const { html, errors } = await mjml2html(mjml, { validationLevel: 'soft' });
      assert.deepEqual(errors, []);
      assert.deepEqual(visibleIn(mjmlToHtml(mjml).html), visibleIn(html));
    }),
    { numRuns: 60 },
  );
});

test('texts are shown as they were written', () => {
  const blocks = readBlocks([
    { type: 'text', text: 'a <b> & "c"\nd' },
    { type: 'button', label: 'Go & see', url: 'https://x.test/?a=1&b={{c default="d"}}' },
    { type: 'image', url: 'https://x.test/i.png', alt: '"quoted" {{name default="x"}}' },
  ]);
  const { html } = mjmlToHtml(blocksToMjml(blocks));
  assert.match(html, /a &lt;b&gt; &amp; &quot;c&quot;<br ?\/>\nd/);
  assert.ok(html.includes('href="https://x.test/?a=1&amp;b={{c default="d"}}"'));
  assert.ok(html.includes('alt="&quot;quoted&quot; {{name default="x"}}"'));
});

const WRONG: [blocks: unknown, place: string][] = [
  [{}, 'blocks'],
  [[], 'blocks'],
  [[null], 'blocks[0]'],
  [[{ type: 'table' }], 'blocks[0]'],
  [[{ type: 'toString' }], 'blocks[0]'],
  [[{ type: 'spacer' }, { type: 'text' }], 'blocks[1]'],
  [[{ type: 'text', text: '' }], 'blocks[0].text'],
  [[{ type: 'text', text: 7 }], 'blocks[0].text'],
  [[{ type: 'button', label: 'x', url: 'https://x.test', extra: 1 }], 'blocks[0]'],
  [[{ type: 'button', label: 'x', url: 'https://x.test', colour: 'red' }], 'blocks[0].colour'],
  [[{ type: 'heading', text: 'x', align: 'middle' }], 'blocks[0].align'],
  [[{ type: 'image', url: 'https://x.test', alt: '', width: 9_999 }], 'blocks[0].width'],
  [[{ type: 'rich_text', parts: [] }], 'blocks[0].parts'],
  [[{ type: 'rich_text', parts: [{ type: 'table', lines: [[]] }] }], 'blocks[0].parts[0].type'],
  [
    [{ type: 'rich_text', parts: [{ type: 'paragraph', lines: [[{ text: '' }]] }] }],
    'blocks[0].parts[0].lines[0][0].text',
  ],
  [[{ type: 'footer', text: 'x' }], 'blocks[0]'],
  [[{ type: 'social', links: [{ label: 'x' }] }], 'blocks[0].links[0]'],
  [[{ type: 'columns', columns: [[]] }], 'blocks[0].columns'],
  [[{ type: 'columns' }], 'blocks[0]'],
  [[{ type: 'columns', columns: [[], [{ type: 'image', url: 'https://x.test' }]] }], 'blocks[0].columns[1][0]'],
  [[{ type: 'columns', columns: [[], [{ type: 'columns', columns: [[], []] }]] }], 'blocks[0].columns[1][0]'],
];

test('what is wrong with blocks is told by its place', () => {
  for (const [blocks, place] of WRONG) {
    assert.throws(
      () => readBlocks(blocks),
      (error) => error instanceof ContentMistake && error.part === place,
      JSON.stringify(blocks),
    );
  }
});
