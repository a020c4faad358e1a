import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageView } from '../view.ts';
import { renderForm } from './form-page.ts';
import { all, byId, type Found, named, readTree, textIn } from './read-tree.examples.ts';
import { EVERY_KIND, FILLED, SIGNING, viewOf } from './view.examples.ts';

function rendered(view: PageView): Found {
  return readTree(renderForm(view, 'nonce', { script: null }));
}

const PAGES = {
  pages: [
    { id: 'a', title: 'First', fields: [{ type: 'text', name: 'one' }] },
    { id: 'b', title: 'Second', show_when: "one == 'x'", fields: [{ type: 'text', name: 'two' }] },
    { id: 'c', title: 'Third', fields: [{ type: 'text', name: 'three' }] },
  ],
};

function buttonsOf(tree: Found): (string | undefined)[] {
  return named(tree, '_go').map(({ given }) => given['value']);
}

test('a step shows its page only, and the buttons that lead on and back', () => {
  const first = rendered(viewOf(PAGES, { signing: SIGNING }));
  assert.equal(named(first, 'q.one').length, 1);
  assert.equal(named(first, 'q.three').length, 0);
  assert.deepEqual(buttonsOf(first), ['next', 'next']);
  assert.match(textIn(first), /Step 1 of 2/);
  assert.equal(named(first, '_signature.name').length, 0);
  const last = rendered(viewOf(PAGES, { step: 1, signing: SIGNING, resumable: true }));
  assert.equal(named(last, 'q.three').length, 1);
  assert.deepEqual(buttonsOf(last), ['submit', 'submit', 'back', 'save']);
  assert.equal(named(last, '_signature.name').length, 1);
});

test('the enter key goes on, whatever other buttons there are', () => {
  const form = byId(rendered(viewOf(EVERY_KIND, { ...FILLED, step: 0 })), 'carepost-form') as Found;
  const [first] = all(form, ({ tag }) => tag === 'button');
  assert.deepEqual([first?.given['name'], first?.given['value']], ['_go', 'submit']);
});

test('a page says its language and its direction, and leads to the others without losing answers', () => {
  const arabic = rendered(viewOf(EVERY_KIND, { language: 'ar', languages: ['en', 'ar'] }));
  const [whole] = all(arabic, ({ tag }) => tag === 'html');
  assert.deepEqual([whole?.given['lang'], whole?.given['dir']], ['ar', 'rtl']);
  const links = all(arabic, ({ given }) => given['hreflang'] !== undefined);
  assert.deepEqual(links.map(textIn), ['English', 'العربية']);
  assert.equal(links[0]?.given['href'], '/f/before-your-visit?language=en');
  const begun = rendered(viewOf(EVERY_KIND, { ...FILLED, languages: ['en', 'ar'], controls: { _language: 'en' } }));
  assert.equal(all(begun, ({ given }) => given['hreflang'] !== undefined).length, 0);
  assert.deepEqual(
    named(begun, '_language').map(({ given }) => given['value']),
    ['en', 'ar'],
  );
});

test('the block of data holds the other steps’ answers and cannot be left by anything in it', () => {
  const view = viewOf(PAGES, { answers: { one: 'y', three: '<!--<script></script><b>' }, proofOfWork: true });
  const html = renderForm(view, 'nonce', { script: '/f/-/main.js' });
  const tree = readTree(html);
  const data = JSON.parse(textIn(byId(tree, 'carepost-data') as Found)) as Record<string, unknown>;
  assert.deepEqual(data['answers'], { three: '<!--<script></script><b>' });
  assert.deepEqual(data['model'], JSON.parse(JSON.stringify(view.model)));
  assert.equal(data['proofUrl'], `/f/${view.formId}/challenge`);
  const [script] = all(tree, ({ given }) => given['type'] === 'module');
  assert.deepEqual([script?.given['src'], script?.given['nonce']], ['/f/-/main.js', 'nonce']);
  assert.equal(byId(rendered(view), 'carepost-data'), undefined, 'nothing of it is there without script');
});
