import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { compileForm } from '../model/compile.ts';
import { anyFormWithAnswers } from '../model/form.examples.ts';
import type { Answers, FormModel, Verdict } from '../model/form-model.ts';
import { toJsonSchema } from '../model/json-schema.ts';
import { sayInEnglish } from '../model/problems.ts';
import { questionsOf } from '../model/questions.ts';
import { todayAt } from '../model/today.ts';
import { checkAnswers } from '../model/validate.ts';
import { asControls, postedBy, type Sent } from './posted-by.examples.ts';
import { readPosted } from './read-posted.ts';
import { renderForm } from './render/form-page.ts';
import { viewOf } from './render/view.examples.ts';
import { collectAnswers } from './script/collect.ts';
import { judgeFilling } from './script/verdict.ts';
import { stateControls } from './view-of.ts';

const TODAY = todayAt(new Date('2026-11-15T09:00:00Z'));
const FULLER = ['address', 'signature', 'file', 'group', 'hidden', 'checkboxes'];
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });

/** The page of a form that is filled in with these answers, as it would be posted. */
function fillIn(model: FormModel, answers: Answers): Sent[] {
  const state = { version: 1, language: 'en', step: 0, answers, files: {}, signature: null };
  const view = viewOf(null, { model, answers, controls: stateControls(model, state, TODAY) });
  return postedBy(renderForm(view, 'nonce', { script: null }));
}

function readAsScript(model: FormModel, sent: Sent[]): Answers {
  const json = (wanted: string) => JSON.parse(sent.find(([name]) => name === wanted)?.[1] ?? 'null') as unknown;
  const seen = new Set(json('_seen') as string[]);
  return collectAnswers(model, sent, (json('_answers') ?? {}) as Answers, seen);
}

function readAsServer(model: FormModel, sent: Sent[]): Answers {
  return readPosted(model, asControls(sent)).state.answers;
}

const isGood = ({ problems }: Verdict) => Object.keys(problems).length === 0;

/** Patterns are the server's alone; unknown shapes have no page. */
function readable(form: object): FormModel {
  return compileForm(JSON.parse(JSON.stringify(form, (key, value: unknown) => (key === 'pattern' ? null : value))));
}

test('for any form and answers, the page, the script, the server and the schema come to one verdict', () => {
  const verdicts = { good: 0, bad: 0 };
  fc.assert(
    fc.property(anyFormWithAnswers, ({ form, answers }) => {
      const model = readable(form);
      const before = checkAnswers(model, answers, [], TODAY);
      const sent = fillIn(model, before.answers);
      const byServer = checkAnswers(model, readAsServer(model, sent), [], TODAY);

      // Some answers a page writes in a fuller way, or in an order of its own, or beside the others.
      const isPlain = questionsOf(model).every(
        ({ kind, name }) => !FULLER.includes(kind) || !Object.hasOwn(before.answers, name),
      );
      if (isPlain && isGood(before) && before.unasked.length === 0) assert.deepEqual(byServer, before);

      const filling = { model, answers: readAsScript(model, sent), files: {}, today: TODAY };
      const byScript = judgeFilling(filling, sayInEnglish);
      assert.deepEqual(byScript.problems, byServer.problems);

      const { schema, exact } = toJsonSchema(model);
      if (byServer.unasked.length === 0 && (exact || isGood(byServer))) {
        assert.equal(ajv.validate(schema, byServer.answers), isGood(byServer));
        ajv.removeSchema(schema);
      }
      verdicts[isGood(byServer) ? 'good' : 'bad'] += 1;
    }),
    { numRuns: 300 },
  );
  for (const [kind, times] of Object.entries(verdicts)) assert.ok(times > 3, `${times} were ${kind}`);
});
