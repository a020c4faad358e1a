import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type LayoutPiece, safeLayout, styleRules } from './index.ts';
import { anyMarkup } from './markup.examples.ts';

const NAMES = new Set(['first', 'last', 'sex']);
const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';

const sized = (size: number) => 'data:image/png;base64,'.padEnd(size, 'A');

/** The pieces as one text, with a mark for each question. */
function written(html: string): string {
  return safeLayout(html, NAMES).map(inHtml).join('');
}

function inHtml(piece: LayoutPiece): string {
  return piece.kind === 'html' ? piece.html : `<div data-field="${piece.name}"></div>`;
}

const field = (name: string) => inHtml({ kind: 'field', name });

test('structure, text, tables, lists and classes stay', () => {
  const layout = `<section class="a b"><h2 dir="rtl" lang="ar">T</h2><p>x <b>y</b><br>z &amp; &lt;</p><ul><li>1</li></ul><table>
<thead><tr><th colspan="2" scope="col">h</th></tr></thead><tbody><tr><td>d</td></tr></tbody></table></section>`;
  assert.equal(written(layout), layout);
});

test('what runs, loads or is text of another kind goes with its content, forms and unknown elements without', () => {
  for (const name of ['script', 'style', 'svg', 'math', 'iframe', 'object', 'template', 'noscript', 'title', 'button'])
    assert.equal(written(`a<${name}>b<b>c</b></${name}>d`), 'ad', name);
  for (const name of ['form', 'blink', 'details', 'label', 'font', 'x-y', 'body'])
    assert.equal(written(`a<${name} action=x onfocus=y>b</${name}>d`), 'abd', name);
  assert.equal(
    written('a<embed src=x>b<base href=x>c<meta http-equiv=refresh>d<link rel=x>e<input name=other>f'),
    'abcdef',
  );
  assert.equal(written('a<!-- b --><![CDATA[c]]><?d?>'), 'a');
});

test('attributes stay only where they change looks, ids with a name that is none of ours', () => {
  assert.equal(
    written('<p id="carepost-form" onclick="x()" data-path="a" name="n" form="f" tabindex="1" hidden>a</p>'),
    '<p id="layout-carepost-form">a</p>',
  );
  assert.equal(written('<p id="a b" dir="up" lang="&quot;" align="x">a</p>'), '<p>a</p>');
  assert.equal(written('<td colspan=2>a</td>'), 'a');
});

test('links lead to https, mail and telephone only, into another window', () => {
  const safe = ' target="_blank" rel="noopener noreferrer nofollow"';
  for (const href of ['https://a.test/?b=c', 'mailto:a@b.test', 'tel:+15550100', 'HTTPS://a.test'])
    assert.equal(written(`<a href="${href}" ping="https://e" target="_top">x</a>`), `<a href="${href}"${safe}>x</a>`);
  for (const href of [
    'http://a',
    'javascript:alert(1)',
    ' java\nscript:x',
    '//a',
    '/a',
    '#a',
    'data:text/html,x',
    'https://a b',
  ])
    assert.equal(written(`<a href="${href}">x</a>`), '<a>x</a>', href);
});

test('pictures come along in the layout or are their text', () => {
  assert.equal(written(`<img src="${PIXEL}" alt="A" srcset="https://e 2x">`), `<img src="${PIXEL}" alt="A">`);
  for (const src of ['https://e/x.png', '/x.png', 'data:image/svg+xml;base64,AAAA', 'data:text/html;base64,AAAA', ''])
    assert.equal(written(`<img src="${src}" alt="A">`), 'A', src);
  assert.ok(written(`<img src="${sized(524_288)}">`).startsWith('<img '));
  assert.equal(written(`<img src="${sized(524_289)}">`), '');
});

test('a style attribute becomes a class and a rule, of safe declarations only', () => {
  const layout = '<p style="color:red;position:fixed;background:url(//e)" class="a">x</p><p style="color: red">y</p>';
  const [, name] = /class="a (layout-style-\w+)"/.exec(written(layout)) ?? [];
  assert.equal(written(layout), `<p class="a ${name}">x</p><p class="${name}">y</p>`);
  assert.equal(styleRules(layout, '#s'), `#s .${name}{color:red}`);
});

const spans = (count: number, style: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => `<b style="${style(i)}">x</b>`).join('');

/** How many elements of a layout have a class for their style, and how many rules there are. */
function countStyled(layout: string): [elements: number, rules: number] {
  return [written(layout).split('class="layout-style-').length - 1, styleRules(layout, '#s').split('}').length - 1];
}

const wide = (i: number) => `top:${i}px;`.padEnd(1_000);

test('a layout has so many styles that are written differently, and what follows is left out', () => {
  assert.deepEqual(countStyled(spans(2_000, (i) => `top:${i}px`)), [2_000, 2_000]);
  assert.deepEqual(countStyled(spans(2_001, (i) => `top:${i}px`)), [2_000, 2_000]);
  assert.deepEqual(countStyled(spans(10_000, (i) => `top:${i % 9}px`)), [10_000, 9]);
  assert.deepEqual(countStyled(spans(200, wide)), [200, 200]);
  assert.deepEqual(countStyled(spans(201, wide)), [200, 200]);
});

test('a control of a question, or an element that names one, is its place, once and without its label', () => {
  for (const [layout, expected] of [
    ['<label for="f">First</label> : <input id="f" name="first">', ` : ${field('first')}`],
    ['<label>First <input name="first"> name</label>', field('first')],
    ['<label>First</label>\n<br><input name="first">', `\n<br>${field('first')}`],
    ['<label>First</label> text <input name="first">', `First text ${field('first')}`],
    ['<label for="other">First</label><input name="first">', `First${field('first')}`],
    ['<select name="sex"><option>a</select>b', `${field('sex')}b`],
    ['<textarea name="sex"><b></textarea>b', `${field('sex')}b`],
    ['<div data-field="sex">Here <b>it</b> goes</div>b', `${field('sex')}b`],
    ['<label><input type=radio name=sex> a</label><label><input type=radio name=sex> b</label>', field('sex')],
    ['<div data-field="nobody">x</div><input name="nobody">', '<div>x</div>'],
    ['<script data-field="sex"></script>', field('sex')],
  ] as const)
    assert.equal(written(layout), expected, layout);
});

test('a question ends the paragraph, heading or link that it stands in, and is not placed between the cells of a table', () => {
  assert.equal(written('<p>a <b>b <input name=first> c</b> d</p>'), `<p>a <b>b </b></p>${field('first')} c d`);
  assert.equal(written('<h2><a><input name=first>c'), `<h2><a></a></h2>${field('first')}c`);
  assert.equal(written('<table><tr><input name=first><td>a</table>'), '<table><tr><td>a</td></tr></table>');
  assert.equal(
    written('<table><tr><td><input name=first></table>'),
    `<table><tr><td>${field('first')}</td></tr></table>`,
  );
});

test('what a browser would move or close early is not written', () => {
  assert.equal(written('<ul><li><div><li>a</li></div></li></ul>'), '<ul><li><div>a</div></li></ul>');
  assert.equal(written('<table><div><table>a</table></div></table>'), '<table></table>');
  assert.equal(written('<a>b<i><a>c</a></i></a>'), '<a>b<i>c</i></a>');
  assert.equal(written('<p><b><div>a</div></b></p>'), '<p><b></b></p><div>a</div>');
  assert.equal(written('</div></form></body>a<tr><td>b'), 'ab');
});

test('what is too long or too deep is left out altogether, and what is not stays', () => {
  const long = 'a'.repeat(1_048_576);
  assert.equal(written(long), long);
  assert.equal(written(`${long}a`), '');
  assert.equal(written('<x>'.repeat(500)), '');
  assert.equal(written(`${'<x>'.repeat(500)}a`), 'a');
  assert.equal(written(`${'<x>'.repeat(501)}a`), '');
  assert.equal(written(`${'<div>'.repeat(101)}a`), `${'<div>'.repeat(100)}a${'</div>'.repeat(100)}`);
});

test('whatever comes in, what is written is written the same again, and is balanced', () => {
  fc.assert(
    fc.property(anyMarkup, (markup) => {
      const once = written(markup);
      assert.equal(written(once), once);
      assert.equal(leftOpen(once), '');
    }),
    { numRuns: 1_000 },
  );
});

/** The elements that are open at the end, or a complaint about the first that closes another. */
function leftOpen(html: string): string {
  const open: string[] = [];
  for (const [, end, name = ''] of html.matchAll(/<(\/?)(\w+)(?: [\w-]+="[^"<>]*")*>/g)) {
    if (end === '') open.push(...(/^(br|col|hr|img|wbr)$/.test(name) ? [] : [name]));
    else if (open.pop() !== name) return `</${name}>`;
  }
  return /<(?!\/?\w+(?: [\w-]+="[^"<>]*")*>)/.test(html) ? 'a lone <' : open.join();
}
