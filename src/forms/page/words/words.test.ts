import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Phrase } from '../../model/phrases.ts';
import { EN } from './en.ts';
import { pickLanguage } from './pick-language.ts';
import { isSpoken, wordsOf } from './words-of.ts';

const TAGS = ['en', 'es', 'fr', 'de', 'pt', 'ar', 'zh', 'vi'];

const textsOf = (phrase: Phrase): string[] => (typeof phrase === 'string' ? [phrase] : Object.values(phrase));
const gapsIn = (text: string): string => (text.match(/\{\w+\}/g) ?? []).toSorted().join(' ');

for (const tag of TAGS) {
  test(`${tag} says everything that English says, with the same gaps`, () => {
    const words = wordsOf(tag);
    assert.equal(words.tag, tag);
    for (const part of ['page', 'problems', 'script'] as const) {
      const known: Record<string, Phrase> = EN[part];
      const own: Record<string, Phrase> = words[part];
      assert.deepEqual(Object.keys(own).toSorted(), Object.keys(known).toSorted());
      for (const [key, phrase] of Object.entries(own)) {
        const [english = ''] = textsOf(known[key] as Phrase);
        for (const text of textsOf(phrase)) {
          assert.notEqual(text.trim(), '', key);
          assert.equal(gapsIn(text), gapsIn(english), `${part}.${key}`);
        }
      }
    }
  });

  test(`${tag} is not English with another name`, () => {
    const same = Object.keys(EN.problems).filter((key) => {
      return wordsOf(tag).problems[key as 'answer'] === EN.problems[key as 'answer'];
    });
    assert.equal(same.length, tag === 'en' ? Object.keys(EN.problems).length : 0);
  });
}

test('a region is taken for its language, and what nobody speaks here for English', () => {
  assert.equal(wordsOf('pt-BR').say('yes'), 'Sim');
  assert.equal(wordsOf('PT_br').say('yes'), 'Sim');
  assert.equal(wordsOf('tlh').say('yes'), 'Yes');
  assert.equal(wordsOf('constructor').say('yes'), 'Yes');
  assert.deepEqual([isSpoken('es-MX'), isSpoken('tlh')], [true, false]);
});

test('a number is said in the plural of the language', () => {
  assert.equal(wordsOf('en').say('mostFiles', 1), 'At most 1 file.');
  assert.equal(wordsOf('en').say('mostFiles', 2), 'At most 2 files.');
  assert.equal(wordsOf('fr').sayProblem('mostFiles', 0), 'Veuillez joindre au plus 0 fichier.');
});

test('the language that was asked for comes first, then those of the browser by weight, then the form’s own', () => {
  const available = ['en', 'es', 'pt-BR'];
  const pick = (header?: string, wanted?: string) => pickLanguage(available, header, wanted);
  assert.equal(pick(), 'en');
  assert.equal(pick('es;q=0.4, fr;q=1, pt;q=0.8'), 'pt-BR');
  assert.equal(pick('es-MX,es;q=0.9'), 'es');
  assert.equal(pick('es', 'pt-br'), 'pt-BR');
  assert.equal(pick('es', 'de'), 'es');
  assert.equal(pick('es;q=0, *;q=0.5'), 'en');
  assert.equal(pickLanguage([], 'es', 'es'), 'en');
});

test('whatever is sent, the language is one that there is', () => {
  const anyHeader = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom('es', ';q=', '0.3', ',', '*', ' ', 'en-')).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(anyHeader, fc.string(), (header, wanted) => {
      assert.ok(['en', 'es'].includes(pickLanguage(['en', 'es'], header, wanted)));
    }),
  );
});
