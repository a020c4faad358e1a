import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTemplate, TemplateMistake } from '../../../email/index.ts';
import { type ClassOf, type PartKind, refusePhi, usesPhi } from './phi-places.ts';

const PHI = new Set(['diagnosis', 'visits', 'a.b']);
const classOf: ClassOf = (field) => (PHI.has(field) ? 'phi' : field === 'city' ? 'personal' : 'none');

function mistakeIn(source: string, kind: 'html' | 'text' | 'header', part: PartKind): TemplateMistake | null {
  try {
    refusePhi(parseTemplate(source, kind), part, classOf);
    return null;
  } catch (error) {
    assert.ok(error instanceof TemplateMistake, String(error));
    return error;
  }
}

/** The ways to look up the field, whatever it is then done with. */
const WAYS: Record<string, string> = {
  plain: '{{diagnosis}}',
  default: '{{diagnosis default="none"}}',
  'a field of it': '{{diagnosis.code}}{{x}}',
  'an index of it': '{{visits.0}}',
  'its length': '{{visits.length}}',
  'a name in brackets': '{{[diagnosis]}}',
  'a name with a dot': '{{[a.b]}}',
  'this.': '{{this.diagnosis}}',
  './': '{{./diagnosis}}',
  '@root': '{{@root.diagnosis}}',
  '../': '{{#with clinic}}{{../diagnosis}}{{/with}}',
  'with root': '{{#with @root}}{{diagnosis}}{{/with}}',
  'with this': '{{#with this}}{{diagnosis}}{{/with}}',
  'with it': '{{#with diagnosis}}{{code}}{{/with}}',
  'with an alias': '{{#with diagnosis as |d|}}{{d.code}}{{/with}}',
  'an alias of everything': '{{#with this as |d|}}{{d.diagnosis}}{{/with}}',
  'each of it': '{{#each visits}}{{this}}{{/each}}',
  'each of it, named': '{{#each visits as |v i|}}{{i}}{{/each}}',
  'each of everything': '{{#each this}}{{this}}{{/each}}',
  'each of everything, named': '{{#each @root as |v k|}}{{k}}{{/each}}',
  'out of a loop': '{{#each clinics}}{{../diagnosis}}{{/each}}',
  'if it': '{{#if diagnosis}}a{{/if}}',
  'unless it': '{{#unless diagnosis}}a{{/unless}}',
  'else if it': '{{#if city}}a{{else if diagnosis}}b{{/if}}',
  'in an else': '{{#if city}}a{{else}}{{diagnosis}}{{/if}}',
  'in the else of a loop': '{{#each clinics}}{{else}}{{diagnosis}}{{/each}}',
};

test('in the subject and the preheader PHI is refused, in whichever way it is looked up', () => {
  for (const [way, source] of Object.entries(WAYS)) {
    const found = mistakeIn(`ab ${source}`, 'header', 'preview');
    assert.match(found?.rule ?? '', /^(diagnosis|visits|a\.b|this) is PHI, which would show before/, way);
  }
});

test('in a URL PHI is refused, in whichever way it is looked up', () => {
  for (const [way, source] of Object.entries(WAYS)) {
    for (const [before, after] of [
      ['<a href="https://x.test/?q=', '">a</a>'],
      ['<img alt="" src="https://x.test/', '.png">'],
      ["<td background='https://x.test/", "'>"],
      ['<p>See https://x.test/', ' for more'],
      ['<p title="https://x.test/?', '">'],
    ]) {
      // Loops cannot stand at the beginning of a URL, where the engine refuses them itself.
      assert.ok(mistakeIn(`${before}${source}${after}`, 'html', 'body') !== null, `${way}: ${before}`);
    }
    assert.ok(mistakeIn(`see https://x.test/?q=${source} `, 'text', 'body') !== null, way);
  }
});

test('in the body PHI is allowed, in whichever way it is looked up', () => {
  for (const [way, source] of Object.entries(WAYS)) {
    assert.equal(
      mistakeIn(`<p title="a">${source}</p><a href="https://x.test">x</a>${source}`, 'html', 'body'),
      null,
      way,
    );
    assert.equal(mistakeIn(`a ${source} https://x.test/ ${source}`, 'text', 'body'), null, way);
    assert.ok(usesPhi(parseTemplate(source, 'html'), classOf), way);
  }
});

test('inside a tag PHI is refused, in whichever way it is looked up, and whichever attribute it is', () => {
  for (const [way, source] of Object.entries(WAYS)) {
    for (const [before, after] of [
      ['<p class="', '">'],
      ['<p class="a ', ' b">'],
      ['<p title=', ' >'],
      ['<form action="https://x.test"><input name="d" value="', '"></form>'],
      ['<img src="cid:logo" alt="', '">'],
      ['<textarea>', '</textarea>'],
      ['<title>', '</title>'],
    ]) {
      assert.ok(mistakeIn(`${before}${source}${after}`, 'html', 'body') !== null, `${way}: ${before}`);
    }
  }
});

const DEPENDING = [
  '{{#if diagnosis}}<a href="https://x.test">x</a>{{/if}}',
  '{{#unless diagnosis}}x{{else}}<a href="https://x.test">x</a>{{/unless}}',
  '{{#if diagnosis}}{{#if city}}<a href="//x.test">x</a>{{/if}}{{/if}}',
  '{{#if diagnosis}}<a href="{{unsubscribe_url}}">x</a>{{/if}}',
  '{{#each visits}}<a href="https://x.test/{{@index}}">x</a>{{/each}}',
  '{{#with diagnosis}}<img src="/x.png">{{/with}}',
  '{{#if diagnosis}}<img srcset="https://x.test/a 2x">{{/if}}',
  '{{#if diagnosis}}<a href=" https://x.test">{{else}}<a href="">{{/if}}',
  '{{#if diagnosis}}<td background=https://x.test/a.png>{{/if}}',
  '{{#if diagnosis}}<p style="background: URL (https://x.test/a.png)">{{/if}}',
  '{{#if diagnosis}}<style>@import "https://x.test/a.css"</style>{{/if}}',
  '<style>p { {{#if diagnosis}}color: red{{/if}} }</style>',
  '<p style="color: {{#if diagnosis}}red{{/if}}">',
  '{{#if diagnosis}}https://x.test/flu{{/if}}',
  '{{#if diagnosis}}<p>see WWW.x.test for more</p>{{else}}x{{/if}}',
  '{{#if diagnosis}}{{#if city}}x.test/flu{{/if}}{{/if}}',
  '{{#if diagnosis}}<p>Leave: {{unsubscribe_url}}</p>{{/if}}',
  '{{#if diagnosis}}hivcare.org{{/if}}',
  '{{diagnosis}}.clinic.com',
  '{{diagnosis}}.clinic.test/info',
  '{{#if diagnosis}}flu{{/if}}-x.clinic.test/',
  '<img {{#if diagnosis}}src="https://x.test/a.png"{{/if}} >',
  '<a href="{{#if diagnosis}}https://x.test{{else}}https://y.test{{/if}}">x</a>',
];

test('no link and no picture may depend on PHI', () => {
  for (const source of DEPENDING) assert.ok(mistakeIn(source, 'html', 'body') !== null, source);
  for (const source of DEPENDING) {
    assert.equal(mistakeIn(source.replaceAll(/diagnosis|visits/g, 'city'), 'html', 'body'), null, source);
  }
  for (const source of DEPENDING.filter((each) => !each.includes('<'))) {
    assert.ok(mistakeIn(source, 'text', 'body') !== null, source);
  }
});

test('what a mail program does with a link inside a PHI block stays allowed where nobody learns of it', () => {
  for (const source of [
    '{{#if diagnosis}}<a href="tel:+49228">call</a><a href="MAILTO:a@x.test">write</a>{{/if}}',
    '{{#if diagnosis}}<p style="color:red" class="a">{{diagnosis}}</p>{{/if}}<a href="https://x.test">x</a>',
    '{{#if diagnosis}}<img src="cid:logo">{{/if}}',
    '{{#if diagnosis}}Write to a.b@clinic.com.{{/if}} {{diagnosis}}. Then see clinic.com, {{diagnosis}}.',
  ]) {
    assert.equal(mistakeIn(source, 'html', 'body'), null, source);
  }
});

const BLOCKS = '<p class="always">x</p>{{#if diagnosis}}<div id="ill" class="Card {{city}}"><b>x</b></div>{{/if}}';
const PLAIN_BLOCK = '<p class="always">x</p>{{#if diagnosis}}<div class="Card"><b>x</b></div>{{/if}}';

test('no style may load a picture for what is shown to some for their health', () => {
  for (const css of [
    '@media (max-width: 600px) { .card { color: red; background: url(https://x.test/a.png) } }',
    '@media screen { @supports (color: red) { td.never, div.card { background-image: url("https://x.test/a.png") } } }',
    '.card:hover { background: URL( //x.test/a.png ) }',
    'table > .card::before { content: u\\72l("https://x.test/a.png") }',
    'b { list-style: -webkit-image-set("https://x.test/a.png" 1x) }',
    '#ill[title="a b"] { cursor: url(a.cur) }',
    '[class] { background: url(a.png) }',
    '.always + .else { background: url(a.png) }',
    'p:last-child { background: url(a.png) }',
    'body:has(.card) { background: url(a.png) }',
    '.card { @media screen { background: url(a.png) } }',
    '.card { color: red; &:hover { background: url(a.png) } }',
    '.of-some-city { background: url(a.png) }',
    '@keyframes k { from { background: url(a.png) } } .card { animation: k 1s }',
    '@counter-style c { symbols: url(a.png) }',
    '.always { --picture: url(a.png) } .card { background: var(--picture) }',
    '.card { background: image-set("data:image/png;base64,AA" 1x, "https://x.test/a.png" 2x) }',
    '.card { background: cross-fade(linear-gradient(red, red), "https://x.test/a.png") }',
    `${Array.from({ length: 501 }, (_, index) => `.a${index}`).join()} { background: url(a.png) }`,
  ]) {
    const found = mistakeIn(`<style>${css}</style>\n${BLOCKS}`, 'html', 'body');
    assert.deepEqual([found?.line, found?.column], [2, 24], css);
    assert.match(found?.rule ?? '', /^a link or picture cannot depend on diagnosis/);
    assert.equal(mistakeIn(`<style>${css}</style>${BLOCKS}`.replaceAll('diagnosis', 'city'), 'html', 'body'), null);
  }
});

test('styles that load nothing for it, or from within the mail, stay allowed', () => {
  for (const css of [
    '@media screen { .always { background: url(https://x.test/a.png) } .card { color: red } }',
    '.card .always { background: url(https://x.test/a.png) } .card:hover { color: url }',
    '.card { background: url(data:image/png;base64,AA) } #ill { background: url("cid:logo") }',
    '@font-face { font-family: Brand; src: url(https://x.test/a.woff2) } .card { font-family: Brand }',
    '@import url(https://x.test/a.css); .card { color: red; background: #fff }',
    '/* .card { background: url(a.png) } */ .url { background: url(a.png) }',
  ]) {
    assert.equal(mistakeIn(`<style>${css}</style>${PLAIN_BLOCK}`, 'html', 'body'), null, css);
  }
});

test('styles of many rules and blocks of many tags are compared in a moment', () => {
  const selectors = Array.from({ length: 500 }, (_, index) => `.a.b${index}`).join();
  const tags = '<br class="a">'.repeat(20_000);
  for (const css of [
    `${selectors} { background: url(a.png) }`,
    `${'@media x {'.repeat(20_000)}${'i { background: url(a.png) }'.repeat(20_000)}`,
    `.b { background: ${'image('.repeat(20_000)}"a.png" }`,
    `.b { ${'/**/ '.repeat(20_000)} background: ${'url(a.png) '.repeat(20_000)} }`,
  ]) {
    const began = process.cpuUsage();
    mistakeIn(`<style>${css}</style>{{#if diagnosis}}${tags}{{/if}}`, 'html', 'body');
    const { user, system } = process.cpuUsage(began);
    assert.ok(user + system < 5e6, `${css.slice(0, 20)} took ${user + system} µs`); // with the square minutes
  }
});

test('a mistake says where it is, and which field', () => {
  const found = mistakeIn('<p>{{list.0}}\n {{list.0}} <a href="https://x.test/{{diagnosis.code}}">', 'html', 'body');
  assert.deepEqual([found?.line, found?.column], [2, 37]);
  assert.match(found?.rule ?? '', /^diagnosis is PHI/);
  const block = mistakeIn('a\n{{#if diagnosis}}b\n<a href="https://x.test">c</a>{{/if}}', 'html', 'body');
  assert.deepEqual([block?.line, block?.column], [2, 1]);
});

test('other fields are allowed everywhere', () => {
  const source =
    '{{city}}{{#if city}}a{{/if}}{{#with this}}{{city}}{{/with}}{{#each clinics}}{{name}}{{@key}}{{/each}}';
  assert.equal(mistakeIn(source, 'header', 'preview'), null);
  assert.equal(mistakeIn(`<a href="https://x.test/?c={{city}}">${source}</a>`, 'html', 'body'), null);
  assert.ok(!usesPhi(parseTemplate(source, 'html'), classOf));
});
