import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SPOKEN } from '../words/words-of.ts';
import { type Message, renderMessage } from './message.ts';
import { all, type Found, readTree, textIn } from './read-tree.examples.ts';

const PLAIN = ['closed', 'full', 'notFound', 'linkUsed', 'alreadySent', 'expired', 'refused'] as const;
const ENTRY = { action: '/f/x', controls: { _answers: '{"a":"<b>"}' }, isWrong: false };
const EVERY: Message[] = [
  ...PLAIN.map((kind) => ({ kind })),
  { kind: 'thanks', receipt: 'CP-<1>' },
  { kind: 'password', ...ENTRY },
  { kind: 'code', ...ENTRY },
];

const drawn = (message: Message, language = 'en'): Found => readTree(renderMessage(message, language, 'nonce'));

test('every message has a title and a text in every language', () => {
  for (const language of SPOKEN) {
    const titles = EVERY.map((message) => {
      const tree = drawn(message, language);
      const [title] = all(tree, ({ tag }) => tag === 'h1');
      const [text] = all(tree, ({ tag }) => tag === 'p');
      assert.ok(title && text && textIn(text).length > 5, message.kind);
      assert.equal(all(tree, ({ tag }) => tag === 'html')[0]?.given['lang'], language);
      return textIn(title);
    });
    assert.equal(new Set(titles).size, EVERY.length, language);
  }
});

test('thanks come with the number of the receipt', () => {
  const tree = drawn({ kind: 'thanks', receipt: 'CP-<1>' });
  assert.equal(textIn(all(tree, ({ given }) => given['class'] === 'receipt')[0] as Found), 'CP-<1>');
});

test('a password or a code is asked for, and what was wrong with it is said at the control', () => {
  for (const kind of ['password', 'code'] as const) {
    const fresh = drawn({ kind, ...ENTRY });
    const control = all(fresh, ({ given }) => given['name'] === kind)[0] as Found;
    assert.equal(control.given['aria-invalid'], undefined);
    assert.equal(all(fresh, ({ tag }) => tag === 'label')[0]?.given['for'], control.given['id']);
    assert.equal(all(fresh, ({ given }) => given['name'] === '_answers')[0]?.given['value'], '{"a":"<b>"}');
    assert.equal(all(fresh, ({ tag }) => tag === 'form')[0]?.given['action'], '/f/x');
    const wrong = drawn({ kind, ...ENTRY, isWrong: true });
    const described = all(wrong, ({ given }) => given['name'] === kind)[0]?.given['aria-describedby'];
    assert.ok(all(wrong, ({ given }) => given['id'] === described && given['role'] === 'alert').length === 1);
    assert.match(textIn(all(wrong, ({ tag }) => tag === 'title')[0] as Found), /^Error: /);
  }
});
