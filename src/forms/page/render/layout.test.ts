import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderForm } from './form-page.ts';
import { all, type Found, nearest, readTree, textIn } from './read-tree.examples.ts';
import { viewOf } from './view.examples.ts';

const FORM = {
  fields: [
    { type: 'heading', id: 'h1', text: 'First, the name' },
    { type: 'text', name: 'name', label: 'Name' },
    { type: 'section', id: 's', title: 'More', fields: ['age', 'town'].map((name) => ({ type: 'text', name })) },
    { type: 'text', name: 'last', label: 'Last' },
  ],
};

function drawn(html: string, form: unknown = FORM, differs = {}): Found {
  return readTree(renderForm(viewOf(form, { layout: { html, css: null }, ...differs }), 'nonce', { script: null }));
}

/** The questions and pieces of text in the form, in their order. */
function orderIn(tree: Found): string[] {
  const [layout] = all(tree, ({ given }) => given['class'] === 'form-layout');
  const known = all(layout as Found, ({ tag, given }) => {
    return given['data-path'] !== undefined || given['data-item'] !== undefined || tag === 'blockquote';
  });
  return known.map(({ given, ...each }) => given['data-path'] ?? given['data-item'] ?? textIn({ given, ...each }));
}

test('a layout says where questions stand; a heading goes with its question, and the rest follows', () => {
  const tree = drawn('<blockquote>Top</blockquote><div><input name="town"></div><b data-field="name"></b>');
  assert.deepEqual(orderIn(tree), ['Top', 'town', 'h1', 'name', 's', 'age', 'last']);
});

test('a section of which every question has its place leaves nothing behind', () => {
  const tree = drawn('<input name="town"><input name="age">');
  assert.deepEqual(orderIn(tree), ['town', 'age', 'h1', 'name', 'last']);
});

test('a layout that names no question stands above them all', () => {
  const tree = drawn('<blockquote>Top</blockquote><input name="unknown">');
  assert.deepEqual(orderIn(tree), ['Top', 'h1', 'name', 's', 'age', 'town', 'last']);
});

test('in a form of several pages it stands above the first only', () => {
  const pages = { pages: [{ fields: [{ type: 'text', name: 'a' }] }, { fields: [{ type: 'text', name: 'b' }] }] };
  const html = '<blockquote>Top</blockquote><input name="a">';
  assert.deepEqual(orderIn(drawn(html, pages)), ['Top', 'a']);
  assert.deepEqual(orderIn(drawn(html, pages, { step: 1 })), ['b']);
});

test('numbers and problems follow the layout, and nothing of it can run', () => {
  const html =
    '<script>x()</script><p onclick="x()">Hi</p><input name="last"><form action="//evil"><input name="name">';
  const tree = drawn(html, FORM, { problems: { name: ['Name?'], last: ['Last?'] } });
  const links = all(tree, ({ tag, given }) => tag === 'a' && (given['href'] ?? '').startsWith('#control-'));
  assert.deepEqual(links.map(textIn), ['Last: Last?', 'Name: Name?']);
  assert.equal(all(tree, ({ tag }) => tag === 'script').length, 0);
  assert.equal(all(tree, ({ tag }) => tag === 'form').length, 1);
  assert.equal(all(tree, ({ given }) => given['onclick'] !== undefined).length, 0);
});

test('the style sheet of a customer reaches only what stands in the layout', () => {
  const layout = { html: '<p style="color: red">Hi</p>', css: 'body, .question { color: blue } @import "//evil";' };
  const html = renderForm(viewOf(FORM, { layout }), 'nonce', { script: null });
  const [, own = ''] = html.match(/<\/style><style nonce="nonce">(.*?)<\/style>/s) ?? [];
  assert.match(own, /\.form-layout \.question\{color:blue\}/);
  assert.match(own, /color:red/);
  assert.doesNotMatch(own, /evil|@import/);
  const tree = readTree(html);
  for (const question of all(tree, ({ given }) => given['data-path'] !== undefined)) {
    assert.ok(nearest(question, ({ given }) => given['class'] === 'form-layout'));
  }
});
