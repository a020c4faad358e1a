import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SPOKEN } from '../../page/words/words-of.ts';
import { SIGNING_EN } from './en.ts';
import { type SigningWord, signingWordsOf } from './signing-words.ts';

test('every language of the pages says what a signer is told, in its own words and with the same gaps', () => {
  for (const tag of SPOKEN) {
    const { say, tag: own } = signingWordsOf(tag);
    assert.equal(own, tag);
    for (const [word, english] of Object.entries(SIGNING_EN) as [SigningWord, string][]) {
      assert.equal(say(word, 'GAP').includes('GAP'), english.includes('{n}'), `${tag} ${word}`);
      if (tag !== 'en') assert.notEqual(say(word), english.replace('{n}', ''), `${tag} ${word}`);
    }
  }
  assert.equal(signingWordsOf('tlh').tag, 'en');
});
