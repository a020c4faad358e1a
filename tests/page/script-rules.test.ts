import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { whatWasAsked } from '../../src/forms/model/asked.ts';
import { compileForm } from '../../src/forms/model/compile.ts';
import { anyFormWithAnswers } from '../../src/forms/model/form.examples.ts';
import type { Answers, FormModel, SentFile } from '../../src/forms/model/form-model.ts';
import { sayInEnglish } from '../../src/forms/model/problems.ts';
import { questionsOf } from '../../src/forms/model/questions.ts';
import { todayAt } from '../../src/forms/model/today.ts';
import { checkAnswers } from '../../src/forms/model/validate.ts';
import { readPosted } from '../../src/forms/page/read-posted.ts';
import { Filling } from '../../src/forms/page/render/filling.ts';
import { Asked } from '../../src/forms/page/script/asked.ts';
import { collectAnswers } from '../../src/forms/page/script/collect.ts';
import { judgeFilling } from '../../src/forms/page/script/verdict.ts';

const TODAY = todayAt(new Date('2026-05-16T09:00:00Z'));

/** A model as the browser gets it. */
function sentToBrowser(model: FormModel): FormModel {
  return JSON.parse(JSON.stringify(model)) as FormModel;
}

function withoutPatterns({ fields }: { fields: Record<string, unknown>[] }): FormModel {
  const plain = JSON.parse(JSON.stringify({ fields }, (key, value: unknown) => (key === 'pattern' ? null : value)));
  return compileForm(plain);
}

test('where a form has no patterns, the script judges answers as the server does', () => {
  fc.assert(
    fc.property(anyFormWithAnswers, ({ form, answers }) => {
      const model = withoutPatterns(form);
      const filling = { model: sentToBrowser(model), answers, files: {}, today: TODAY };
      assert.deepEqual(judgeFilling(filling, sayInEnglish), checkAnswers(model, answers, [], TODAY));
    }),
    { numRuns: 500 },
  );
});

test('where a form has patterns, the script leaves these to the server and judges the rest', () => {
  const model = compileForm({ fields: [{ name: 'code', type: 'text', pattern: '^a+$', maxLength: 3 }] });
  const judge = (code: string) => judgeFilling({ model, answers: { code }, files: {}, today: TODAY }, sayInEnglish);
  assert.deepEqual(judge('b').problems, {});
  assert.deepEqual(Object.keys(judge('bbbb').problems), ['code']);
});

const file = (name: string, size: number): SentFile => ({ name, type: '', size, field: 'scan' });

test('files that have come count as good ones, and one that is chosen is judged by what it is', () => {
  const model = compileForm({
    fields: [
      { name: 'scan', type: 'file', required: true, accept: ['.pdf'], max_files: 2, max_size: 10 },
      { name: 'list', type: 'list', fields: [{ name: 'n' }, { name: 'a.photo', type: 'file', accept: ['image/*'] }] },
    ],
  });
  const problems = (files: Record<string, string[]>, chosen?: SentFile) =>
    judgeFilling(
      { model, answers: { list: [{ n: '1' }] }, files, today: TODAY, ...(chosen && { chosen }) },
      sayInEnglish,
    ).problems;
  assert.deepEqual(Object.keys(problems({})), ['scan']);
  assert.deepEqual(problems({ scan: ['t1', 't2'], 'list.0.a.photo': ['t3'] }), {});
  assert.deepEqual(Object.keys(problems({ scan: ['t1', 't2', 't3'] })), ['scan']);
  assert.deepEqual(problems({ scan: ['t1'] }, file('a.pdf', 10)), {});
  assert.deepEqual(Object.keys(problems({ scan: ['t1'] }, file('a.pdf', 11))), ['scan']);
  assert.deepEqual(Object.keys(problems({ scan: ['t1'] }, file('a.exe', 1))), ['scan']);
});

test('the script shows what the server shows as asked, in entries that are blank too', () => {
  fc.assert(
    fc.property(anyFormWithAnswers, fc.nat(2), ({ form, answers }, blanks) => {
      const model = compileForm(form);
      const group = Array.isArray(answers['group']) ? answers['group'] : [];
      const shown: Answers = { ...answers, group: [...group, ...Array.from({ length: blanks }, () => ({}))] };
      const asked = new Asked(sentToBrowser(model), shown, TODAY);
      const isAsked = whatWasAsked(model, shown, TODAY);
      const filling = new Filling(model, shown, TODAY);
      for (const question of questionsOf(model)) {
        assert.equal(asked.question(question.name)?.isAsked, isAsked(question));
        if (question.kind !== 'group') continue;
        for (const [i, entry] of (shown['group'] as Answers[]).entries()) {
          const sheet = filling.entryOf(question, entry);
          for (const [name, filled] of sheet.filled) {
            const within = asked.question(`group.${i}.${name}`);
            assert.equal(within?.isAsked, isAsked(question) && filled.isAsked, `${name} of entry ${i}`);
          }
        }
      }
    }),
    { numRuns: 500 },
  );
});

const anyControls = fc.dictionary(
  fc.oneof(
    fc.constantFrom('q.q0', 'q.q1', 'q.q2', 'q.q3', 'q.q1.~own', 'q.q2.city', 'q.q3.r1', 'q.q4.name', 'q.q4.confirmed'),
    fc.constantFrom('q.group.0.q0', 'q.group.1.q1', 'q.group.0.q1.~own', '_go', 'q.%', 'website', 'q.gone'),
  ),
  fc.array(fc.oneof(fc.constantFrom('a', 'b', '~other', 'yes', '10', ''), fc.string({ maxLength: 4 })), {
    minLength: 1,
  }),
  { noNullPrototype: true },
);

test('the script reads the controls of a step as the server does', () => {
  fc.assert(
    fc.property(anyFormWithAnswers, anyControls, fc.nat(2), ({ form, answers }, controls, step) => {
      const model = inPages(compileForm(form));
      const names = new Set(
        questionsOf({ ...model, pages: model.pages.slice(step, step + 1) }).map(({ name }) => name),
      );
      const onStep = Object.entries(controls).filter(
        ([name]) => names.has(name.split('.')[1] ?? '') || name[0] === '_',
      );
      const seen = [...names].filter((_, i) => i % 2 === 0);
      const posted = { ...Object.fromEntries(onStep), _step: String(step) };
      const server = readPosted(model, {
        ...posted,
        _seen: JSON.stringify(seen),
        _answers: JSON.stringify(answers),
      });
      const entries = onStep.flatMap(([name, values]) => values.map((value) => [name, value] as const));
      const travelled = JSON.parse(JSON.stringify(answers)) as Answers;
      assert.deepEqual(collectAnswers(model, entries, travelled, new Set(seen)), server.state.answers);
    }),
    { numRuns: 500 },
  );
});

/** The same questions on three pages. */
function inPages(model: FormModel): FormModel {
  const items = model.pages.flatMap((page) => page.items);
  const pages = [0, 1, 2].map((n) => ({
    id: `p${n}`,
    title: null,
    showWhen: null,
    items: items.filter((_, i) => i % 3 === n),
  }));
  return { ...model, pages };
}
