import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compileForm } from '../model/compile.ts';
import type { Answers, FormModel, SentFile } from '../model/form-model.ts';
import { todayAt } from '../model/today.ts';
import { fieldName, plainPath } from './field-name.ts';
import { asControls, postedBy } from './posted-by.examples.ts';
import { readPosted } from './read-posted.ts';
import { renderForm } from './render/form-page.ts';
import { viewOf } from './render/view.examples.ts';
import type { PageState } from './state.ts';
import { answerOf, entriesOf, placesAsked, stepsOf } from './steps.ts';
import { takeTurn } from './turn.ts';
import { stateControls } from './view-of.ts';
import { wordsOf } from './words/words-of.ts';

const TODAY = todayAt(new Date('2026-11-15T09:00:00Z'));
const MOST_TURNS = 60;
/** Names that look like parts of one another. */
const NAMES = ['a', 'a.b', 'b', 'b.a', 'c', 'c.1'];

const asking = { required: fc.boolean(), show_when: fc.constantFrom(undefined, 'flag', 'not flag') };
const question = fc.record({ ...asking, type: fc.constantFrom('text', 'file', 'address') });
const inside = fc
  .array(question, { minLength: 1, maxLength: 3 })
  .map((fields) => fields.map((each, i) => ({ ...each, name: NAMES[i] })));
/** One that has to be filled in asks something. */
const group = fc
  .record({ ...asking, type: fc.constant('repeating group'), fields: inside })
  .map((each) => ({ ...each, required: each.required && each.fields.some((field) => field.show_when === undefined) }));

/** A form of some pages, how many entries each group is to have, and how the question that decides is answered in turn. */
const walks = fc.record({
  pages: fc
    .array(fc.oneof(question, group), { minLength: 1, maxLength: NAMES.length })
    .map((fields) => fields.map((each, i) => ({ ...each, name: NAMES[i] as string })))
    .chain((fields) => fc.nat(fields.length).map((cut) => [fields.slice(0, cut), fields.slice(cut)])),
  entries: fc.integer({ min: 1, max: 3 }),
  flips: fc.array(fc.boolean(), { maxLength: 4 }),
  flag: fc.boolean(),
});

type Walk = typeof walks extends fc.Arbitrary<infer T> ? T : never;

/** Somebody who answers each question once, when it is first shown, and chooses a file where one is wanted. */
class Visitor {
  state: PageState = { version: 1, language: 'en', step: 0, answers: {}, files: {}, signature: null };
  readonly #model: FormModel;
  readonly #walk: Walk;
  readonly #flips: boolean[];
  readonly #known = new Set<string>();

  constructor(model: FormModel, walk: Walk) {
    this.#model = model;
    this.#walk = walk;
    this.#flips = [...walk.flips];
  }

  /** Goes on by one page; whether the form is sent. */
  goOn(): boolean {
    const { state } = this;
    const shown = viewOf(null, {
      model: this.#model,
      answers: state.answers,
      step: Math.max(0, stepsOf(this.#model, state.answers, TODAY).indexOf(state.step)),
      controls: stateControls(this.#model, state, TODAY),
    });
    const controls: Record<string, string | string[]> = asControls(
      postedBy(renderForm(shown, 'nonce', { script: null })),
    );
    const seen = new Set(JSON.parse(String(controls['_seen'])) as string[]);
    const chosen = this.#fillIn(controls, seen);
    Object.assign(controls, this.#button(seen));
    const posted = readPosted(this.#model, controls);
    const files = { ...posted.state.files, ...chosen };
    const context = {
      model: this.#model,
      isSigned: false,
      files: Object.keys(files).map(fileAt),
      refused: {},
      today: TODAY,
      words: wordsOf('en'),
    };
    const turn = takeTurn(context, { ...posted, state: { ...posted.state, files } });
    this.state = turn.state;
    return turn.kind === 'send';
  }

  #fillIn(controls: Record<string, string | string[]>, seen: ReadonlySet<string>): Record<string, string[]> {
    const chosen: Record<string, string[]> = {};
    for (const { path, type } of placesIn(this.#walk)) {
      const plain = plainPath(path);
      if (!seen.has(plain) || this.#known.has(plain)) continue;
      this.#known.add(plain);
      if (type === 'file') chosen[plain] = [plain];
      else if (type === 'address') controls[fieldName([...path, 'city'])] = plain;
      else controls[fieldName(path)] = plain;
    }
    return chosen;
  }

  /** The button that is pressed: to stay while they change their mind, to add entries, and then to go on. */
  #button(seen: ReadonlySet<string>): Record<string, string> {
    const steps = stepsOf(this.#model, this.state.answers, TODAY);
    const flip = seen.has('flag') ? this.#flips.shift() : undefined;
    const flag: Record<string, string> = seen.has('flag') ? { 'q.flag': (flip ?? this.#walk.flag) ? 'yes' : 'no' } : {};
    if (flip !== undefined) return { ...flag, _go: 'stay' };
    const short = this.#walk.pages
      .flat()
      .find(
        ({ name, type }) => type === 'repeating group' && seen.has(name) && this.#entriesOf(name) < this.#walk.entries,
      );
    if (short !== undefined) return { ...flag, _add: short.name };
    return { ...flag, _go: this.state.step === steps.at(-1) ? 'submit' : 'next' };
  }

  /** How many entries are shown. */
  #entriesOf(name: string): number {
    return Math.max(1, entriesOf(answerOf(this.state.answers, name)).length);
  }
}

function fileAt(field: string): SentFile {
  return { name: 'a.png', type: 'image/png', size: 1, field };
}

/** Every question that can be answered, those in the entries of groups included. */
function placesIn({ pages, entries }: Walk): { path: (string | number)[]; type: string }[] {
  return pages.flat().flatMap((field) => {
    if (!('fields' in field)) return [{ path: [field.name], type: field.type }];
    return Array.from({ length: entries }, (_, i) =>
      field.fields.map((each) => ({ path: [field.name, i, each.name as string], type: each.type })),
    ).flat();
  });
}

/** What is asked at the end and answered, by path. */
function answered(model: FormModel, answers: Answers, files: PageState['files']): Map<string, unknown> {
  const places = model.pages.flatMap((page) => placesAsked(model, page, answers, TODAY));
  return new Map(
    places
      .filter(({ kind }) => kind !== 'group')
      .map(({ path, kind, answer }) => [path, kind === 'file' ? files[path]?.[0] : answer]),
  );
}

test('whoever answers all they are asked gets to the end, and nothing of it is lost on the way', () => {
  fc.assert(
    fc.property(walks, (walk) => {
      const [first = [], ...more] = walk.pages;
      const model = compileForm({
        pages: [{ elements: [{ name: 'flag', type: 'yes_no' }, ...first] }, ...more.map((elements) => ({ elements }))],
      });
      const visitor = new Visitor(model, walk);
      let turns = 0;
      while (!visitor.goOn()) {
        turns += 1;
        assert.ok(turns < MOST_TURNS, 'the end is reached');
      }
      const { answers, files } = visitor.state;
      for (const [path, answer] of answered(model, answers, files)) {
        if (path === 'flag') continue;
        const said = typeof answer === 'object' && answer !== null ? (answer as Answers)['city'] : answer;
        assert.equal(said, path);
      }
    }),
    { numRuns: 300 },
  );
});
