import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isStorable } from '../../platform/http/body/json-body.ts';
import { compileForm } from '../model/compile.ts';
import { todayAt } from '../model/today.ts';
import { answerPath, fieldName, OTHER_CHOICE, OWN_WORDS, plainPath } from './field-name.ts';
import type { Controls } from './posted-answers.ts';
import { readPosted } from './read-posted.ts';
import type { PageState } from './state.ts';
import { answerOf, entriesOf, placesAsked } from './steps.ts';
import { signatureControls, stateControls } from './view-of.ts';

const TODAY = todayAt(new Date('2026-01-01T09:00:00Z'));

/** Every kind of answer, with questions that come and go by others, on two pages. */
const MODEL = compileForm({
  pages: [
    {
      elements: [
        { name: 'text', type: 'text' },
        { name: 'dotted.name %', type: 'long text' },
        { name: 'asked', type: 'text', show_when: 'text == "yes"' },
        { name: 'choice', type: 'radio', options: ['a', 'b'], other: true },
        { name: 'boxes', type: 'checkboxes', options: ['a', 'b'], other: true },
        { name: 'address', type: 'address' },
        { name: 'grid', type: 'matrix', rows: ['r.1', 'r2'], columns: ['c', 'd'] },
        { name: 'mark', type: 'signature' },
        {
          name: 'group',
          type: 'repeater',
          fields: [
            { name: 'in', type: 'text' },
            { name: 'more', type: 'checkboxes', options: ['x'], show_when: 'in == "yes"' },
          ],
        },
      ],
    },
    { elements: [{ name: 'later', type: 'text' }] },
  ],
});

const text = fc
  .oneof(fc.constant('yes'), fc.string({ unit: 'binary', minLength: 1 }).filter(isStorable))
  .map(canonical)
  .filter((each) => each.trim() !== '');
const words = text.filter((each) => !['a', 'b'].includes(each) && each !== OTHER_CHOICE);
const signature = fc.record(
  { confirmed: fc.boolean(), method: fc.constantFrom('typed', 'drawn', 'uploaded'), name: words },
  { requiredKeys: ['confirmed', 'method', 'name'] },
);

const answers = fc.record(
  {
    text,
    'dotted.name %': text,
    asked: text,
    choice: fc.oneof(fc.constantFrom('a', 'b'), words),
    boxes: fc.oneof(fc.constantFrom(['a'], ['a', 'b']), fc.tuple(fc.constant('a'), words)),
    address: fc.record({ street: text, city: text }),
    grid: fc.record({ 'r.1': fc.constantFrom('c', 'd'), r2: fc.constant('c') }, { requiredKeys: ['r.1'] }),
    mark: signature,
    group: fc.array(fc.record({ in: text, more: fc.constant(['x']) }, { requiredKeys: [] }), {
      minLength: 1,
      maxLength: 3,
    }),
    later: text,
  },
  { requiredKeys: [] },
);

const states: fc.Arbitrary<PageState> = fc.record({
  version: fc.nat(1_000_000),
  language: fc.constantFrom('en', 'de', 'pt-BR'),
  step: fc.constantFrom(0, 1),
  answers,
  files: fc.dictionary(fc.string({ minLength: 1 }), fc.array(fc.string(), { minLength: 1, maxLength: 2 })),
  signature: fc.option(
    fc.record({
      method: fc.constant('drawn' as const),
      name: words,
      confirmed: fc.boolean(),
      image: fc.constantFrom('data:image/png;base64,AAAA', null),
    }),
  ),
});

/** Line breaks as a page sends and reads them. */
function canonical(value: string): string {
  return value.replaceAll('\r\n', '\n');
}

/** What a browser would post of a page that shows this state, with the names that a page gives to its controls. */
function postOf(state: PageState): Controls {
  const controls: Record<string, string | string[]> = {
    ...stateControls(MODEL, state, TODAY),
    ...signatureControls(state),
  };
  const page = MODEL.pages[state.step];
  const places = placesAsked(MODEL, page, state.answers, TODAY);
  controls['_seen'] = JSON.stringify(places.map(({ path }) => path));
  for (const question of page?.items ?? []) {
    if (!('name' in question) || !places.some(({ path }) => path === question.name)) continue;
    const answer = answerOf(state.answers, question.name);
    if (question.kind !== 'group') Object.assign(controls, controlsOf([question.name], question.kind, answer));
    for (const [i, entry] of question.kind === 'group' ? entriesOf(answer).entries() : []) {
      for (const name of ['in', 'more']) {
        if (!places.some(({ path }) => path === plainPath(['group', i, name]))) continue;
        const kind = name === 'in' ? 'text' : 'checkboxes';
        Object.assign(controls, controlsOf(['group', i, name], kind, answerOf(entry, name)));
      }
    }
  }
  return controls;
}

/** The value of the box or button that stands for a choice. */
function sentFor(choice: string): string {
  return ['a', 'b', 'x'].includes(choice) ? choice : OTHER_CHOICE;
}

function controlsOf(path: (string | number)[], kind: string, answer: unknown): Record<string, string | string[]> {
  if (kind === 'radio' || kind === 'checkboxes') {
    const chosen = [answer ?? []].flat() as string[];
    if (chosen.length === 0) return {};
    const written = chosen.filter((value) => sentFor(value) === OTHER_CHOICE);
    return { [fieldName(path)]: chosen.map(sentFor), [fieldName([...path, OWN_WORDS])]: written.at(-1) ?? '' };
  }
  if (kind === 'address' || kind === 'matrix' || kind === 'signature') {
    const parts = Object.entries((answer ?? {}) as Record<string, string | boolean>);
    const sent = parts.filter(([part, value]) => part !== 'confirmed' || value === true);
    return Object.fromEntries(sent.map(([part, value]) => [fieldName([...path, part]), String(value)]));
  }
  return { [fieldName(path)]: ((answer as string | undefined) ?? '').replaceAll('\n', '\r\n') };
}

/** As it is in JSON, whatever prototypes its objects have. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('a name leads back to the path it was made of, and no two paths have the same', () => {
  const paths = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.nat(99).map(String)), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(fc.property(paths, (path) => assert.deepEqual(answerPath(fieldName(path)), path)));
  assert.deepEqual([answerPath('_go'), answerPath('q.%'), answerPath('website')], [null, null, null]);
});

test('what a page shows and carries is read back as it was', () => {
  fc.assert(
    fc.property(states, (state) => {
      const { state: read } = readPosted(MODEL, postOf(state));
      assert.deepEqual(plain(read), plain(state));
    }),
    { numRuns: 1_000 },
  );
});

test('whatever is posted is read without an error', () => {
  const names = fc.oneof(
    fc.constantFrom('_version', '_step', '_answers', '_files', '_seen', '_go', '_language', '_signature.name'),
    fc.constantFrom(
      'q.group.0.in',
      'q.group.999999.in',
      'q.group.-1.in',
      'q.address.__proto__',
      'q.__proto__',
      'q.boxes',
    ),
    fc.string().map((name) => `q.${name}`),
  );
  const values = fc.oneof(fc.string(), fc.json(), fc.array(fc.string()));
  fc.assert(
    fc.property(fc.dictionary(names, values), (controls) => {
      const { state } = readPosted(MODEL, controls);
      assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
      assert.ok(state.step >= 0 && state.step < MODEL.pages.length);
    }),
    { numRuns: 2_000 },
  );
});

test('many long names of controls are read at once', () => {
  const names = Array.from({ length: 7_000 }, (_, i) => `q.group.0.in.${'中'.repeat(4_000)}${i}`);
  const controls = Object.fromEntries([...names, 'q.group.0.in'].map((name) => [name, 'x']));
  const before = process.cpuUsage();
  assert.deepEqual(readPosted(MODEL, controls).state.answers, { group: [{ in: 'x' }] });
  const { user } = process.cpuUsage(before);
  assert.ok(user < 10_000_000, `${user / 1_000} ms: percent-encoding them takes minutes`);
});
