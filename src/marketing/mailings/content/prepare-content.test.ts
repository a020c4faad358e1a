import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTemplate, renderTemplate } from '../../../email/index.ts';
import { ContentMistake } from './mistake.ts';
import type { ClassOf } from './phi-places.ts';
import { type ContentSource, prepareContent } from './prepare-content.ts';

const classOf: ClassOf = (field) => (field === 'diagnosis' ? 'phi' : 'personal');
const prepare = (source: Partial<ContentSource>) =>
  prepareContent({ body: { html: '<p>Hi</p>' }, subject: 'News', preheader: null, text: null, ...source }, classOf);
const inColumn = (content: string) =>
  `<mjml><mj-body><mj-section><mj-column>${content}</mj-column></mj-section></mj-body></mjml>`;

const FOOTER = /<a href="\{\{unsubscribe_url\}\}"[^>]*>Unsubscribe<\/a><\/div>/g;

test('every body has a way out, once', () => {
  const { html, text } = prepare({ body: { html: '<html><body><p>Hi</p></body></html>' } });
  assert.match(
    html,
    /^<html><body><p>Hi<\/p><div [^>]*><a href="\{\{unsubscribe_url\}\}"[^>]*>Unsubscribe<\/a><\/div><\/body><\/html>\n$/,
  );
  assert.equal(text, 'Hi\n\nUnsubscribe <{{unsubscribe_url}}>\n');
  const given = prepare({ body: { html: '<a href="{{unsubscribe_url}}">Out</a>' }, text: 'Out: {{unsubscribe_url}}' });
  assert.deepEqual([given.html, given.text], ['<a href="{{unsubscribe_url}}">Out</a>\n', 'Out: {{unsubscribe_url}}\n']);
  assert.equal(prepare({ text: 'Hi\r\n\r\n' }).text, 'Hi\n\nUnsubscribe: {{unsubscribe_url}}\n');
});

test('a way out that not everybody sees is not enough', () => {
  for (const html of [
    '{{#if a}}<a href="{{unsubscribe_url}}">Out</a>{{/if}}',
    '{{#each l}}<a href="{{unsubscribe_url}}">Out</a>{{/each}}',
    '<p title="{{unsubscribe_url}}">',
    '<a href="https://x.test/?u={{unsubscribe_url}}">',
    '<!-- </body> --><p>Hi</p>',
  ]) {
    assert.equal(prepare({ body: { html } }).html.match(FOOTER)?.length, 1, html);
  }
  assert.throws(
    () => prepare({ body: { html: '{{#if a}}<body>x</body>{{/if}}' } }),
    /body element cannot stand inside/,
  );
});

test('the preheader comes first and is hidden, and so does an empty one before PHI', () => {
  const hidden = /^<body[^>]*><div style="display:none[^"]*">(.*?)(?:&#847;&zwnj;&nbsp;){100}<\/div>/;
  const body = { html: '<body class="{{a}}"><p>Hi</p></body>' };
  assert.equal(
    hidden.exec(prepare({ body, preheader: 'A <b> {{c default="d"}}' }).html)?.[1],
    'A &lt;b&gt; {{c default="d"}}',
  );
  assert.doesNotMatch(prepare({ body }).html, /display:none/);
  for (const html of ['<body>{{diagnosis}}</body>', '<body>{{#if diagnosis}}a{{/if}}</body>']) {
    assert.equal(hidden.exec(prepare({ body: { html } }).html)?.[1], '');
  }
  assert.doesNotMatch(prepare({ body, preheader: 'Psst' }).text, /Psst/);
});

test('styles are inlined, and MJML and blocks become HTML', () => {
  const styled = prepare({ body: { html: '<style>p{color:red}</style><p>{{a}}</p>' } });
  assert.match(styled.html, /<p style="color: red;">\{\{a\}\}<\/p>/);
  const mjml = prepare({ body: { mjml: inColumn('<mj-text>{{a}}</mj-text>') } });
  assert.match(mjml.html, /\{\{a\}\}<\/div>/);
  assert.match(mjml.text, /^\{\{a\}\}\n/);
  const head = '<mjml><mj-head><mj-style inline="inline">.x{color:red}</mj-style></mj-head>';
  const inlined = inColumn('<mj-text><b class="x">a</b></mj-text>').replace('<mjml>', head);
  assert.match(prepare({ body: { mjml: inlined } }).html, /<b style="color: red;" class="x">/);
  const blocks = prepare({ body: { blocks: [{ type: 'heading', text: 'Hi {{a}}' }] } });
  assert.match(blocks.text, /^Hi \{\{a\}\}\n/);
});

test('the variables of all parts are reported, without those of the sender', () => {
  const { variables } = prepare({
    subject: '{{s}}',
    preheader: '{{p}}',
    body: { html: '{{#each l}}{{x}}{{/each}}{{diagnosis}}' },
    text: '{{t.u}}',
  });
  assert.deepEqual(variables, ['diagnosis', 'l', 'l[].x', 'p', 's', 't.u']);
});

const DEEP = '<b><div></b>'.repeat(401);

const REFUSED: [source: Partial<ContentSource>, message: RegExp][] = [
  [{ subject: 'a\nb' }, /^subject: takes one line/],
  [{ subject: 'a'.repeat(999) }, /^subject: takes one line/],
  [{ subject: '{{#if a}}' }, /^subject: line 1, column 1: this block is not closed/],
  [{ subject: 'a {{diagnosis}}' }, /^subject: line 1, column 3: diagnosis is PHI/],
  [{ preheader: '{{#if diagnosis}}a{{/if}}' }, /^preheader: line 1, column 1: diagnosis is PHI/],
  [{ body: { html: '<p>\r\n <a href="https://x/{{diagnosis}}">' } }, /^html: line 2, column 21: diagnosis is PHI/],
  [{ body: { html: '<style>{{a}}</style>' } }, /^html: line 1, column 8: variables are not supported/],
  [{ body: { html: '{{carepost_links}}' } }, /^html: names that begin with carepost_ are reserved/],
  [{ body: { html: '{{#with @root.carepost_pixel}}{{/with}}' } }, /reserved/],
  [{ body: { html: 'a'.repeat(600_000) } }, /^html: line 1, column 1: a template may have at most/],
  [{ body: { html: DEEP } }, /^html: line 1, column \d+: elements may be nested at most 400 deep/],
  [{ body: { mjml: inColumn('<mj-wrapper>'.repeat(100)) } }, /^mjml: line 1, column \d+: elements may be nested/],
  [
    { body: { mjml: inColumn('\n<mj-button href="https://x.test/{{diagnosis}}">a</mj-button>') } },
    /^mjml: line 2, column 33: diagnosis is PHI/,
  ],
  [{ body: { mjml: inColumn('<mj-text><p style="{{a}}">x</p></mj-text>') } }, /^mjml: line 1, column 58: variables/],
  [
    { body: { blocks: [{ type: 'spacer' }, { type: 'text', text: '{{#if a}}' }] } },
    /^blocks\[1\]\.text: line 1, column 1: this block is/,
  ],
  [{ body: { blocks: [{ type: 'button', label: 'a', url: 'x' }] } }, /^blocks\[0\]\.url: must begin with/],
  [
    { body: { blocks: [{ type: 'button', label: 'a', url: 'https://x.test/{{diagnosis}}' }] } },
    /^blocks\[0\]\.url: diagnosis is PHI/,
  ],
  [
    {
      body: { mjml: '<mjml><mj-head>\n<mj-preview>a\n {{diagnosis}}</mj-preview></mj-head><mj-body></mj-body></mjml>' },
    },
    /^mjml: line 3, column 2: diagnosis is PHI, which would show before/,
  ],
  [
    { body: { mjml: '<mjml><mj-head><mj-title>{{diagnosis}}</mj-title></mj-head><mj-body></mj-body></mjml>' } },
    /^mjml: line 1, column 26: diagnosis is PHI/,
  ],
  [
    { body: { blocks: [{ type: 'image', url: 'https://x.test/a.png', alt: '{{diagnosis}}' }] } },
    /^blocks\[0\]\.alt: diagnosis is PHI/,
  ],
  [{ body: { blocks: [{ type: 'button', label: '{{#if a}}', url: 'https://x.test/' }] } }, /^blocks\[0\]\.label/],
  [
    { body: { html: '<style>.x{background:url(https://x/)}</style>{{#if diagnosis}}<p class="x">{{/if}}' } },
    /^html: line 1, column 46: a link or picture/,
  ],
  [{ text: 'https://x.test/{{diagnosis}}' }, /^text: line 1, column 16: diagnosis is PHI/],
  [{ text: '{{a' }, /^text: line 1, column 1/],
];

test('what is wrong is told by its part, its place and its rule', () => {
  for (const [source, message] of REFUSED) {
    assert.throws(
      () => prepare(source),
      (error) => {
        assert.ok(error instanceof ContentMistake, String(error));
        assert.match(error.message, message);
        return true;
      },
    );
  }
});

test('PHI behind a link is not in it, neither in the HTML nor in the text', () => {
  const { text } = prepare({ body: { html: '<a href="https://x.test/">a</a>{{diagnosis}}' } });
  assert.match(text, /^a <https:\/\/x\.test\/>\{\{diagnosis\}\}\n/);
});

test('unclosed paragraphs and cells are not nested', () => {
  assert.doesNotThrow(() => prepare({ body: { html: `${'<p>a<br>'.repeat(500)}<table>${'<tr><td>b'.repeat(500)}` } }));
});

test('hostile content is judged in time', () => {
  const bodies: ContentSource['body'][] = [
    { html: 'a'.repeat(500_000) },
    { html: `${'www.'.repeat(100_000)} {{diagnosis}}` },
    { html: `<pre>${' '.repeat(400_000)}x</pre>` },
    { html: `<style>p{color:red}</style>${'<p>'.repeat(5_000)}` },
    { html: `<a ${'a="'.repeat(50_000)}` },
    { html: '{{a}} <'.repeat(9_000) },
    { mjml: inColumn(`<mj-text>${'{{a}} é <br/>'.repeat(9_000)}</mj-text>`) },
    { mjml: inColumn(`<mj-image src="x" alt="${'é'.repeat(20_000)}"/>`) },
  ];
  for (const body of bodies) {
    const begin = performance.now();
    try {
      prepare({ body });
    } catch (error) {
      assert.ok(error instanceof ContentMistake, String(error));
    }
    assert.ok(performance.now() - begin < 5_000, JSON.stringify(body).slice(0, 80));
  }
});

test('prepared content is prepared for good', () => {
  const source = { subject: 'a {{b}}', preheader: 'c', text: null };
  const blocks = [{ type: 'text', text: '{{diagnosis}} {{b default="x"}}' }];
  const { html, text } = prepare({ ...source, body: { blocks } });
  const variables = { b: 'B', diagnosis: 'D', unsubscribe_url: 'https://x.test/u' };
  assert.match(renderTemplate(parseTemplate(html, 'html'), variables).text, />D B</);
  assert.equal(renderTemplate(parseTemplate(text, 'text'), variables).text, 'D B\n\nUnsubscribe <https://x.test/u>\n');
});

function mustaches(count: number) {
  return { html: '{{a}}'.repeat(count) };
}

test('a body may have 1,000 mustaches and no more', () => {
  const source = { subject: 's', preheader: null, text: null };
  prepareContent({ ...source, body: mustaches(1_000) }, () => 'none');
  for (const body of [mustaches(1_001), { mjml: `<mjml><mj-body>${'{{a}}'.repeat(1_001)}</mj-body></mjml>` }]) {
    assert.throws(() => prepareContent({ ...source, body }, () => 'none'), /at most 1000 mustaches/);
  }
});
