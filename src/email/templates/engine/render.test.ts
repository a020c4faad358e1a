import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LONGEST_OUTPUT, MOST_STEPS } from './bounds.ts';
import { parseTemplate } from './parse.ts';
import { RenderLimit, renderTemplate } from './render.ts';
import { variablesOf } from './variables.ts';

const DATA = {
  name: 'Ann',
  zero: 0,
  no: false,
  yes: true,
  nothing: null,
  empty: '',
  none: [],
  address: { city: 'Bonn', 'post code': '53111', deep: { er: 'x' } },
  items: [
    { price: 3, tags: ['a', 'b'] },
    { price: 5, tags: [] },
  ],
  prices: { tea: 2, 'oat milk': 4 },
  words: ['one', 'two', 'three'],
};

const FORMS: Record<string, string> = {
  'Dear {{name}}, {{ name }}': 'Dear Ann, Ann',
  '{{address.city}} {{address/city}} {{address.deep.er}} {{address.[post code]}}': 'Bonn Bonn x 53111',
  '{{this.name}} {{./name}} {{@root.name}} {{@root.address.city}}': 'Ann Ann Ann Bonn',
  '{{words.0}} {{words.[1]}} {{words.2~}} {{items.0.price}} {{items.[1].price}} {{words.length}}': 'one two three3 5 3',
  '{{zero}} {{no}} {{yes}} [{{nothing}}] [{{empty}}]': '0 false true [] []',
  '{{{name}}} {{&name}}': 'Ann Ann',
  '{{#if name}}yes{{/if}}{{#if zero}}zero{{/if}}{{#if none}}none{{/if}}{{#if empty}}empty{{/if}}': 'yes',
  '{{#if nothing}}a{{/if}}{{#if no}}b{{/if}}{{#if gone}}c{{/if}}{{#if address}}d{{/if}}{{#if items}}e{{/if}}': 'de',
  '{{#unless name}}a{{else}}b{{/unless}}{{#unless no}}c{{/unless}}': 'bc',
  '{{#if no}}a{{else if zero}}b{{else if name}}c{{else}}d{{/if}}': 'c',
  '{{#if no}}a{{else unless name}}b{{else}}d{{/if}}{{#if no}}x{{^}}y{{/if}}': 'dy',
  '{{#if true}}a{{/if}}{{#if 0}}b{{/if}}{{#if "x"}}c{{/if}}{{#if null}}d{{/if}}{{#if 1.5}}e{{/if}}{{#if -1}}f{{/if}}':
    'acef',
  '{{#each words}}{{@index}}{{this}}{{#if @first}}F{{/if}}{{#if @last}}L{{/if}} {{/each}}': '0oneF 1two 2threeL ',
  '{{#each prices}}{{@key}}={{this}}@{{@index}} {{/each}}': 'tea=2@0 oat milk=4@1 ',
  '{{#each words}}{{@key}}{{/each}}': '012',
  '{{#each none}}a{{else}}b{{/each}}{{#each name}}a{{else}}b{{/each}}{{#each nothing}}a{{else}}b{{/each}}': 'bbb',
  '{{#each items}}{{price}}{{this.price}}{{../name}}{{name}} {{/each}}': '33Ann 55Ann ',
  '{{#each items}}{{#each tags}}{{this}}{{@index}}{{@../index}}{{../price}}{{../../name}} {{/each}}{{/each}}':
    'a003Ann b103Ann ',
  '{{#each items}}{{#if price}}{{../name}}{{/if}}{{/each}}': 'AnnAnn',
  '{{#each items as |item i|}}{{i}}:{{item.price}} {{#each item.tags as |t|}}{{t}}{{i}}{{this.t}}{{/each}} {{/each}}':
    '0:3 a0b0 1:5  ',
  '{{#each prices as |price key|}}{{key}}{{price}}{{/each}}': 'tea2oat milk4',
  '{{#with address}}{{city}}{{deep.er}}{{../name}}{{/with}}{{#with nothing}}a{{else}}{{name}}{{/with}}': 'BonnxAnnAnn',
  '{{#with zero}}z{{this}}{{/with}}{{#with none}}a{{else}}b{{/with}}': 'z0b',
  '{{#with address as |a|}}{{a.city}}{{#with ..}}{{name}}{{/with}}{{/with}}': 'BonnAnn',
  '{{#each words}}{{#with @root.address}}{{city}}{{@index}}{{/with}}{{/each}}': 'Bonn0Bonn1Bonn2',
  'a{{! }} b {{!-- {{name}} }} --}}c': 'a b c',
  'a {{~name~}} b {{~! x ~}} c': 'aAnnbc',
  'a {{~#if yes~}} b {{~else~}} c {{~/if~}} d': 'abd',
  '\\{{name}} \\\\{{name}} \\{{{name}}}': '{{name}} \\Ann {{{name}}}',
  '{{[name]}}': 'Ann',
  '<ul>\n  {{#each words}}\n  <li>{{this}}</li>\n  {{/each}}\n</ul>\n':
    '<ul>\n  <li>one</li>\n  <li>two</li>\n  <li>three</li>\n</ul>\n',
  'a\n{{#if no}}\nb\n{{else if yes}}\nc\n{{else}}\nd\n{{/if}}\n{{! x }}\ne\r\n': 'a\nc\ne\r\n',
};

test('every supported form gives what Handlebars gives', () => {
  for (const [source, expected] of Object.entries(FORMS)) {
    for (const kind of ['html', 'header'] as const) {
      const wanted = kind === 'html' ? expected : expected.replace(/[\r\n]/g, ' ');
      assert.equal(renderTemplate(parseTemplate(source, kind), DATA).text, wanted, source);
    }
  }
});

test('nothing is inherited, computed or called', () => {
  const hostile = {
    get secret() {
      return 'got';
    },
    method: () => 'called',
    list: [1],
    text: 'abc',
    ...JSON.parse('{"owner":{"__proto__":{"x":"polluted"}}}'),
  };
  const paths = [
    'constructor',
    '__proto__.x',
    'this.constructor.constructor',
    'toString',
    'hasOwnProperty',
    'owner.__proto__.x',
  ];
  const more = [
    'list.map',
    'list.constructor',
    'text.length',
    'text.0',
    'text.constructor',
    'method',
    'method.name',
    'valueOf',
  ];
  for (const path of [...paths, ...more, 'list.[__proto__]', '@root.constructor', 'list', 'owner', 'this']) {
    const name = path.replace(/^(this|@root)\./, '').replace(/[[\]]/g, '');
    const { text, missing } = renderTemplate(parseTemplate(`{{${path}}}`, 'html'), hostile);
    assert.deepEqual([text, missing], ['', [name]], path);
  }
  const getter = Object.defineProperty({}, 'secret', { get: () => 'got', enumerable: true });
  assert.equal(renderTemplate(parseTemplate('{{secret}}{{#each this}}{{this}}{{/each}}', 'html'), getter).text, '');
  assert.equal(renderTemplate(parseTemplate('{{constructor}}', 'html'), { constructor: 'Acme' }).text, 'Acme');
  const bare = Object.assign(Object.create(null), { a: 1 });
  assert.equal(renderTemplate(parseTemplate('{{a}}{{toString}}', 'html'), bare).text, '1');
});

test('what is written or entered but not there is reported, what a condition asks for is not', () => {
  const source =
    '{{b}}{{b}}{{a.c}}{{#if d}}{{/if}}{{#each e}}{{/each}}{{#each f}}{{g}}{{/each}}{{#with h}}{{/with}}{{n}}{{o}}';
  const { missing } = renderTemplate(parseTemplate(source, 'html'), { f: [{}, { g: 1 }], n: null, o: {} });
  assert.deepEqual(missing, ['a.c', 'b', 'e', 'f[].g', 'h', 'o']);
});

test('a value is never read as a template or as a replacement pattern', () => {
  const value = '{{other}} {{#if x}} $& $1 \\{{name}}';
  const { text } = renderTemplate(parseTemplate('{{value}}|{{{value}}}', 'html', { rawHtml: true }), {
    value,
    other: 'no',
  });
  assert.equal(text, `${value.replace('&', '&amp;')}|${value}`);
});

test('the result of a header is one line without controls, and is not escaped', () => {
  const hostile = 'a\r\nBcc: x@y.test\0\t\x7f\u0085\u2028\u2029<&>"';
  const { text } = renderTemplate(parseTemplate('R: {{a}}\r\n{{{a}}}', 'header', { rawHtml: true }), { a: hostile });
  assert.equal(text, 'R: a  Bcc: x@y.test      <&>"  a  Bcc: x@y.test      <&>"');
});

test('the bound on steps holds exactly', () => {
  const empty = parseTemplate('{{#each a}}{{/each}}', 'html');
  const loop = (items: number) => renderTemplate(empty, { a: Array.from({ length: items }, () => 1) });
  assert.doesNotThrow(() => loop(MOST_STEPS - 2));
  assert.doesNotThrow(() => loop(MOST_STEPS - 1));
  assert.throws(() => loop(MOST_STEPS), RenderLimit);
  assert.throws(() => loop(1_000_000), RenderLimit);
  const cubed = '{{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}';
  assert.throws(
    () => renderTemplate(parseTemplate(cubed, 'html'), { a: Array.from({ length: 1000 }, () => 1) }),
    RenderLimit,
  );
});

const render = (a: string, source = '{{a}}') => renderTemplate(parseTemplate(source, 'html'), { a, b: ['', '', ''] });

test('the bound on the result holds exactly, in bytes', () => {
  assert.equal(render('a'.repeat(LONGEST_OUTPUT - 1)).text.length, LONGEST_OUTPUT - 1);
  assert.equal(render('ü'.repeat(LONGEST_OUTPUT / 2)).text.length, LONGEST_OUTPUT / 2);
  assert.throws(() => render('a'.repeat(LONGEST_OUTPUT + 1)), RenderLimit);
  assert.throws(() => render(`a${'ü'.repeat(LONGEST_OUTPUT / 2)}`), RenderLimit);
  assert.throws(() => render('<'.repeat(LONGEST_OUTPUT / 4 + 1)), RenderLimit);
  assert.throws(() => render('a'.repeat(LONGEST_OUTPUT / 2), '{{#each b}}{{../a}}{{/each}}'), RenderLimit);
});

test('what is read for a rendering is bounded too, whatever little of it is written', () => {
  const links = parseTemplate('{{#each l}}<a href="{{@root.u}}">{{/each}}{{twice}}', 'html');
  const u = '\u0001'.repeat(LONGEST_OUTPUT / 2);
  assert.equal(renderTemplate(links, { l: [1, 2], u, twice: '' }).text, '<a href=""><a href="">');
  assert.throws(() => renderTemplate(links, { l: [1, 2], u, twice: 'x' }), RenderLimit);
});

test('the variables of a template are named by their paths', () => {
  const listed: Record<string, string[]> = {
    'plain {{! name }}{{#if true}}{{/if}}': [],
    '{{name}}{{address.city}}{{name}}': ['address.city', 'name'],
    '{{#each items}}{{price}}{{this.name}}{{../currency}}{{@index}}{{@root.vat}}{{/each}}': [
      'currency',
      'items',
      'items[].name',
      'items[].price',
      'vat',
    ],
    '{{#each items}}{{#each tags}}{{this}}{{../price}}{{/each}}{{else}}{{none}}{{/each}}': [
      'items',
      'items[].price',
      'items[].tags',
      'items[].tags[]',
      'none',
    ],
    '{{#with a.b}}{{c}}{{../d}}{{/with}}{{#if e}}{{f}}{{/if}}{{#unless g}}{{/unless}}': [
      'a.b',
      'a.b.c',
      'd',
      'e',
      'f',
      'g',
    ],
    '{{#each items as |item i|}}{{item.price}}{{i}}{{other}}{{this.item}}{{/each}}': [
      'items',
      'items[].item',
      'items[].other',
      'items[].price',
    ],
    '{{#each this}}{{a}}{{/each}}{{this}}{{list.0}}{{[a.b]}}': ['[].a', '[a.b]', 'list.0'],
  };
  for (const [source, expected] of Object.entries(listed)) {
    assert.deepEqual(variablesOf(parseTemplate(source, 'html')), expected.toSorted(), source);
  }
});
