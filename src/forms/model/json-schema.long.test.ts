import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { compileForm } from './compile.ts';
import { anyFormWithAnswers, CUSTOMER_PATTERNS } from './form.examples.ts';
import type { FormModel, Verdict } from './form-model.ts';
import { toJsonSchema } from './json-schema.ts';
import { todayAt } from './today.ts';
import { checkAnswers } from './validate.ts';

const TODAY = todayAt(new Date('2026-05-16T09:00:00Z'));
const RUNS = 300;

/** The engine for what customers write is the one that the form itself is checked with. */
function engine(pattern: string, flags: string): { test(text: string): boolean } {
  return CUSTOMER_PATTERNS.includes(pattern) ? RE2JS.compile(pattern) : new RegExp(pattern, flags);
}
engine.code = 'engine';

const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  code: { regExp: engine },
  multipleOfPrecision: 9, // by itself it takes 0.7 for no multiple of 0.1
});

function isAccepted(schema: object, answers: unknown): boolean {
  const accepted = ajv.validate(schema, answers);
  ajv.removeSchema(schema);
  return accepted;
}

/** The answers of a verdict without those that were not asked, which stand as paths of keys and numbers. */
function asked({ answers, unasked }: Verdict): unknown {
  const copy = structuredClone(answers);
  for (const path of unasked) {
    const keys = path.split('.');
    const last = keys.pop() as string;
    const owner = keys.reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, copy);
    delete owner[last];
  }
  return copy;
}

const isGood = (verdict: Verdict): boolean => Object.keys(verdict.problems).length === 0;

test('for any form and any answers, a schema that is exact and the check come to the same verdict', () => {
  const seen = { exactGood: 0, exactBad: 0, looseGood: 0, looseBad: 0 };
  fc.assert(
    fc.property(anyFormWithAnswers, ({ form, answers }) => {
      const model = compileForm(form);
      const verdict = checkAnswers(model, answers, [], TODAY);
      const { schema, exact } = toJsonSchema(model);
      const accepted = isAccepted(schema, asked(verdict));
      if (exact) assert.equal(accepted, isGood(verdict), JSON.stringify({ schema, verdict }, null, 1));
      else if (isGood(verdict)) assert.ok(accepted, JSON.stringify({ schema, verdict }, null, 1));
      seen[`${exact ? 'exact' : 'loose'}${isGood(verdict) ? 'Good' : 'Bad'}`] += 1;
    }),
    { numRuns: RUNS },
  );
  for (const [kind, times] of Object.entries(seen)) assert.ok(times > 0, `none was ${kind}`);
});

const CONSTANTS = [0, 2, 10, true, false, 'no'].map((constant) => ({ const: constant }));

const COMPARED: [field: Record<string, unknown>, constants: string[], answers: unknown[]][] = [
  [{ type: 'number' }, ['2', "'2'", "'x'", 'true'], [1, 2, 3, 0]],
  [{ type: 'rating' }, ['2'], [1, 2, 3]],
  [{ type: 'date' }, ["'2024-02-29'"], ['2024-02-28', '2024-02-29', '2024-03-01', '1999-12-31']],
  [{ type: 'select', options: ['1', '2', '10', 'no'] }, ['2', "'2'", 'false', "'x'"], ['1', '2', '10', 'no']],
  [{ type: 'select', options: CONSTANTS }, ['2', "'2'", '0', 'false', "'yes'", "'x'"], [0, 2, 10, true, false, 'no']],
  [{ type: 'checkboxes', options: CONSTANTS }, ['2', "'2'", 'false', "'x'"], [[0], [2, 10], [false], ['no', true]]],
  [{ type: 'select', other: true }, ["'2'"], ['1', '2']],
  [{ type: 'text' }, ["'a.b'", "''", '10', 'true'], ['a.b', 'xa.bx', 'axb', '10', '10.0', 'yes']],
  [{ type: 'yes/no' }, ['true', "'no'", '1'], [true, false]],
  [{ type: 'checkboxes', options: ['1', '2'] }, ['2', "'1'", "'x'"], [['1'], ['2'], ['1', '2']]],
  [{ type: 'checkboxes', other: true }, ["'2'"], [['1'], ['1', '2']]],
  [{ type: 'matrix' }, ["'a'"], [{ r: 'a' }]],
];

test('every comparison with a constant, from either side, means the same in the schema', () => {
  let exactOnes = 0;
  for (const [field, constants, answers] of COMPARED) {
    for (const condition of constants.flatMap(conditionsWith)) {
      const model = compileForm({
        fields: [
          { name: 'q', ...field },
          { name: 'z', required: true, showWhen: condition },
        ],
      });
      const { schema, exact } = toJsonSchema(model);
      exactOnes += exact ? 1 : 0;
      const accepts = ajv.compile(schema);
      for (const sent of [...answers.map((q) => ({ q })), {}]) {
        const good = isGood(checkAnswers(model, sent, [], TODAY));
        if (exact || good) assert.equal(accepts(sent), good, JSON.stringify([field, condition, sent]));
      }
    }
  }
  assert.ok(exactOnes > 250, `only ${exactOnes} were exact`);
});

function conditionsWith(constant: string): string[] {
  const signs = ['==', '!=', '<', '<=', '>', '>='];
  return [
    ...signs.flatMap((sign) => [`q ${sign} ${constant}`, `${constant} ${sign} q`, `not (q ${sign} ${constant})`]),
    `q contains ${constant}`,
    `q in [${constant}, 'zzz']`,
    `q in [${constant}, null]`,
    `q == null or q != ${constant}`,
    `q and q != ${constant}`,
  ];
}

test('conditions that wait for each other mean the same in the schema', () => {
  const model = compileForm({
    fields: [
      { name: 'a', required: true, showWhen: 'empty(b)' },
      { name: 'b', required: true, showWhen: 'empty(a)' },
    ],
  });
  const { schema, exact } = toJsonSchema(model);
  assert.ok(exact);
  for (const sent of [{}, { a: 'x' }, { b: 'x' }, { a: 'x', b: 'x' }]) {
    const verdict = checkAnswers(model, sent, [], TODAY);
    assert.equal(isAccepted(schema, asked(verdict)), isGood(verdict), JSON.stringify(sent));
  }
});

test('normalising what was normalised changes nothing, nor does the verdict', () => {
  fc.assert(
    fc.property(anyFormWithAnswers, ({ form, answers }) => {
      const model = compileForm(form);
      const once = checkAnswers(model, answers, [], TODAY);
      assert.deepEqual(checkAnswers(model, once.answers, [], TODAY), once);
    }),
    { numRuns: 500 },
  );
});

const EXACT: [rules: Record<string, unknown>, exact: boolean][] = [
  [{}, true],
  [{ required: true, showWhen: "age > 3 and (pick == 'a' or not empty(many)) and many contains 'x'" }, true],
  [{ required: true, showWhen: "day >= '2024-01-01'" }, true],
  [{ requireWhen: 'age in [1, 2]' }, true],
  [{ required: true, showWhen: 'age + 1 > 3' }, false],
  [{ required: true, showWhen: 'age == pick' }, false],
  [{ required: true, showWhen: 'total > 3' }, false],
  [{ required: true, showWhen: 'count(many) > 1' }, false],
  [{ requireWhen: 'age(day) > 18' }, false],
  // Nothing is ever demanded here, so that its condition does not matter.
  [{ showWhen: 'age + 1 > 3' }, true],
];

test('a schema is exact unless a demand hangs on more than constants', () => {
  for (const [rules, exact] of EXACT) {
    const fields = [
      { name: 'age', type: 'number' },
      { name: 'pick', type: 'select', options: ['a', 'b'] },
      { name: 'many', type: 'checkboxes', options: ['x', 'y'] },
      { name: 'day', type: 'date' },
      { name: 'total', type: 'score', formula: 'age * 2' },
      { name: 'last', type: 'text', ...rules },
    ];
    assert.equal(toJsonSchema(compileForm({ fields })).exact, exact, JSON.stringify(rules));
  }
  for (const [field, exact] of [
    [{ type: 'date', max: 'today' }, false],
    [{ type: 'date', max: '2024-02-29', min: '2020-01-01' }, true],
    [{ type: 'file' }, true],
    [{ type: 'file', required: true }, false],
    [{ type: 'file', accept: '.pdf' }, false],
  ] as const) {
    assert.equal(toJsonSchema(compileForm({ fields: [{ name: 'a', ...field }] })).exact, exact, JSON.stringify(field));
  }
});

test('bounds of dates are kept to the day, by the schema as by the check', () => {
  const anyDay = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  const day = anyDay.map((date) => date.toISOString().slice(0, 10));
  fc.assert(
    fc.property(day, day, fc.boolean(), (bound, date, isLatest) => {
      for (const sent of [date, bound]) {
        const model = compileForm({ fields: [{ name: 'd', type: 'date', [isLatest ? 'max' : 'min']: bound }] });
        const expected = isLatest ? sent <= bound : sent >= bound;
        assert.equal(isGood(checkAnswers(model, { d: sent }, [], TODAY)), expected);
        assert.equal(isAccepted(toJsonSchema(model).schema, { d: sent }), expected);
      }
    }),
    { numRuns: 100 },
  );
});

test('multiples of decimals are the same for the schema and the check', () => {
  const anyDecimal = fc.integer({ min: -(10 ** 6), max: 10 ** 6 });
  fc.assert(
    fc.property(anyDecimal, fc.integer({ min: 1, max: 500 }), fc.nat(3), (number, step, places) => {
      const multipleOf = Number(`${step}e-${places}`);
      const model = compileForm({ type: 'object', properties: { n: { type: 'number', multipleOf } } });
      for (const sent of [number, number - (number % step)].map((digits) => Number(`${digits}e-${places}`))) {
        const good = isGood(checkAnswers(model, { n: sent }, [], TODAY));
        assert.equal(isAccepted(toJsonSchema(model).schema, { n: sent }), good, `${sent} of ${multipleOf}`);
      }
    }),
    { numRuns: 200 },
  );
});

test('a required matrix is demanded row by row, and an entry cannot look around itself', () => {
  const matrix = { name: 'm', type: 'matrix', rows: ['r', 's'], columns: ['a'], required: true };
  const demanding = toJsonSchema(compileForm({ fields: [matrix] })).schema;
  assert.ok(isAccepted(demanding, { m: { r: 'a', s: 'a' } }) && !isAccepted(demanding, { m: { r: 'a' } }));
  const inner = { name: 'x', required: true, showWhen: 'ill == true' };
  const group = { name: 'g', type: 'list', fields: [{ name: 'y' }, inner] };
  const { schema, exact } = toJsonSchema(compileForm({ fields: [{ name: 'ill', type: 'yes/no' }, group] }));
  assert.ok(!exact && isAccepted(schema, { ill: true, g: [{ y: 'a' }] }));
});

test('a form of an unknown shape takes any object', () => {
  const { schema, exact } = toJsonSchema(compileForm([]));
  assert.ok(exact && isAccepted(schema, { any: ['thing'] }) && !isAccepted(schema, 'text'));
});

test('names like those of the prototype are properties like all others', () => {
  const model: FormModel = compileForm(JSON.parse('{"fields":[{"name":"__proto__","type":"text","required":true}]}'));
  assert.ok(Object.hasOwn((toJsonSchema(model).schema as { properties: object }).properties, '__proto__'));
});
