import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPlainBounce } from './plain-bounce.ts';

const EXIM = 'This message was created automatically by mail delivery software.\n\n';
const QMAIL = 'Hi. This is the qmail-send program at mx.example.\n\n';

/** Who came back and how, as a notice says it that some program sent. */
function told(text: string, from = 'someone@mx.example') {
  return readPlainBounce({ from, text })?.map(({ finalRecipient, action, status }) => [finalRecipient, action, status]);
}

test('Exim and qmail are believed without a code where an address begins its line, and nobody else is', () => {
  for (const notice of [EXIM, QMAIL]) {
    assert.deepEqual(told(`${notice}  <ann@example.com>:\n    unknown user\n`), [['ann@example.com', 'failed', null]]);
    assert.deepEqual(told(`${notice}If in doubt ask help@mx.example who reads this.\n`), []);
    assert.deepEqual(told(`${notice}ann@example.com\n`), [], 'of whom nothing is said');
  }
  assert.equal(told('<ann@example.com>:\nunknown user\n', 'mailer-daemon@mx.example'), undefined);
});

test('a notice that the server still tries is no failure, also without a code', () => {
  for (const words of [
    'This is a warning only.',
    'The server will continue to try.',
    'It has not yet been delivered.',
  ]) {
    assert.deepEqual(told(`${EXIM}${words}\n\nann@example.com\n  no answer\n`), [['ann@example.com', 'delayed', null]]);
  }
});
