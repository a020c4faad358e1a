import * as fc from 'fast-check';

/** The names of the questions that generated forms have; not all of them are always there. */
const NAMES = ['q0', 'q1', 'q2', 'q3', 'q4', 'q5'];

/** Patterns of customers, as forms of generated questions use them. */
export const CUSTOMER_PATTERNS = ['^[a-c]+$', 'b{2}', '(a+)+$'];

/** A field of a form, what would answer it, and what a condition could compare it with. */
interface Example {
  field: Record<string, unknown>;
  answer: fc.Arbitrary<unknown>;
  constants: readonly string[];
}

const anyCount = fc.integer({ min: 0, max: 4 });
const anyFlag = fc.boolean();
const anyWord = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '😀', '1'), maxLength: 5 });
const anyDate = fc.constantFrom(
  '2024-02-29',
  '2023-02-29',
  '02/29/2024',
  '2/3/2024',
  '2024-12-31',
  '1900-02-29',
  '13/01/2024',
);
const anyMoment = fc.constantFrom(
  '2024-02-29T12:30',
  ' 2024-02-29t12:30:59z ',
  '2024-02-29T12:30:60.123+05:30',
  '2023-02-29T12:30:00Z',
  '2024-02-29T24:00:00Z',
  '2024-02-29 12:30',
  '2024-02-29',
  '2024-02-29T12:30:00+0530',
);
const OPTIONS = ['a', 'b', '10', 'yes'];
const CONSTANTS = [0, 2.5, 10, false, true, 'a'].map((constant) => ({ const: constant }));

const anyExample: fc.Arbitrary<Example> = fc.oneof(
  fc
    .record({ low: anyCount, high: anyCount, pattern: fc.option(fc.constantFrom(...CUSTOMER_PATTERNS)) })
    .map(({ low, high, pattern }) => ({
      field: { type: 'text', minLength: low, maxLength: high, pattern },
      answer: anyWord,
      constants: ["'a'", "'b '", '10', 'true'],
    })),
  fc
    .record({ low: anyCount, high: anyCount, type: fc.constantFrom('number', 'integer') })
    .map(({ low, high, type }) => ({
      field: { type, min: low, max: high },
      answer: fc.oneof(fc.integer({ min: -1, max: 5 }), fc.constantFrom('2', '2.5', ' 3 ', '1e1', 'two', 0.5, '0')),
      constants: ['0', '2', '-1', "'3'", "'x'", 'false'],
    })),
  fc.constantFrom(1, 2, 0.5, 0.1).map((multipleOf) => ({
    field: { type: 'number', multipleOf },
    answer: fc.constantFrom(-3, 0, 0.7, '1.15', 2, 2.5, '4'),
    constants: ['0', '2.5'],
  })),
  fc.constantFrom('email', 'phone', 'time', 'address').map((type) => ({
    field: { type },
    answer: fc.oneof(
      fc.constantFrom('a@b.co', 'a@b', '+1 (555) 123-4567', '555-1234', '123456', '12:30', '24:00', ' 12:30:59 '),
      fc.constantFrom({ city: 'x' }, { city: '' }, { city: 1 }, { street: ' ', city: 'y' }),
    ),
    constants: ["'a@b.co'", "'12:30'", "'555'"],
  })),
  fc.option(fc.constantFrom('2024-01-15', '2024-02-29')).map((bound) => ({
    field: { type: 'date', min: bound },
    answer: anyDate,
    constants: ["'2024-02-29'", "'2024-06-01'", "'x'", '5'],
  })),
  fc.record({ type: fc.constantFrom('select', 'radio'), other: anyFlag }).map(({ type, other }) => ({
    field: { type, options: OPTIONS, other },
    answer: fc.constantFrom('a', 'b', 10, 'yes', 'c', ' '),
    constants: ["'a'", '10', "'10'", 'true', "'zzz'"],
  })),
  fc.record({ low: anyCount, high: anyCount, other: anyFlag }).map(({ low, high, other }) => ({
    field: { type: 'checkboxes', options: OPTIONS, other, min: low, max: high },
    answer: fc.oneof(
      fc.array(fc.constantFrom('a', 'b', 10, 'yes', 'c', ''), { maxLength: 4 }),
      fc.constantFrom('a', { a: true, b: false }),
    ),
    constants: ["'a'", '10', "'yes'", 'true'],
  })),
  fc.record({ type: fc.constantFrom('select', 'radio', 'checkboxes'), other: anyFlag }).map(({ type, other }) => ({
    field: { type, options: CONSTANTS, other },
    answer: fc.oneof(
      fc.constantFrom(0, '2.5', 10, '10', true, 'false', 'a', 3, 'c'),
      fc.array(fc.constantFrom(0, '0', 2.5, true, 'true', 'a', 'c'), { maxLength: 4 }),
    ),
    constants: ['0', "'2.5'", '10', 'true', "'no'", "'a'"],
  })),
  fc
    .record({ type: fc.constantFrom('yes/no', 'consent'), only: fc.constantFrom(true, false, null) })
    .map(({ type, only }) => ({
      field: { type, const: only },
      answer: fc.constantFrom(true, false, 'yes', 'no', 'on', '0', 1, 'maybe'),
      constants: ['true', 'false', "'yes'", '1'],
    })),
  fc.record({ low: anyCount, high: fc.constantFrom(19, 40) }).map(({ low, high }) => ({
    field: { type: 'text', format: 'date-time', minLength: low, maxLength: high },
    answer: anyMoment,
    constants: ["'2024-02-29T12:30'", "'x'"],
  })),
  fc.constantFrom({ type: 'rating' }, { type: 'nps' }).map((field) => ({
    field,
    answer: fc.oneof(fc.integer({ min: -1, max: 11 }), fc.constantFrom('3', 2.5, 'x')),
    constants: ['0', '3', '5'],
  })),
  fc.constant({
    field: { type: 'matrix', rows: ['r1', 'r2'], columns: ['a', 'b'] },
    answer: fc.dictionary(fc.constantFrom('r1', 'r2', 'r3'), fc.constantFrom('a', 'b', 'c', ''), {
      noNullPrototype: true,
    }),
    constants: ["'a'"],
  }),
  fc.constant({
    field: { type: 'signature' },
    answer: fc.constantFrom('me', false, 'false', {}, true),
    constants: ['true'],
  }),
  fc.record({ uniqueItems: anyFlag, max: anyCount }).map((rules) => ({
    field: { type: 'checkboxes', ...rules },
    answer: fc.array(fc.constantFrom('a', 'b', 10, 'a'), { maxLength: 4 }),
    constants: ["'a'", '10'],
  })),
  fc
    .constantFrom('hidden', 'wizardry')
    .map((type) => ({ field: { type }, answer: fc.jsonValue(), constants: ['1', "'a'"] })),
);

/** A value that is hardly ever right: the wrong type, or blank. */
const anyJunk = fc.constantFrom<unknown>(null, '', '  ', [], {}, 7, true, ['x', 1], { x: 1 }, 'junk', [[]]);

interface Generated {
  form: { fields: Record<string, unknown>[] };
  answers: Record<string, unknown>;
}

/** Forms of up to six questions with conditions on each other, and answers of which most are nearly right. */
export const anyFormWithAnswers: fc.Arbitrary<Generated> = fc
  .array(anyExample, { minLength: 1, maxLength: NAMES.length })
  .chain((examples) => {
    const named = examples.map((example, i) => ({ ...example, name: NAMES[i] as string }));
    const anyCondition = conditionOn(named);
    const fields = fc.tuple(...named.map(({ field, name }) => anyFieldOf({ ...field, name }, anyCondition)));
    return fc.record(
      { form: fields.chain(inFormOf(named, anyCondition)), answers: anyAnswersTo(named) },
      { noNullPrototype: true },
    );
  });

type Named = Example & { name: string };

function anyFieldOf(
  field: Record<string, unknown>,
  condition: fc.Arbitrary<string>,
): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .record({
      required: anyFlag,
      showWhen: fc.option(condition, { freq: 3, nil: undefined }),
      requireWhen: fc.option(condition, { freq: 3, nil: undefined }),
    })
    .map((rules) => ({ ...field, ...rules }));
}

/** Some of the questions in a section with its own condition, and one group that repeats the first of them. */
function inFormOf(named: readonly Named[], condition: fc.Arbitrary<string>) {
  return (fields: Record<string, unknown>[]): fc.Arbitrary<Generated['form']> =>
    fc
      .record({ cut: fc.nat(named.length), showWhen: condition, required: anyFlag, max: anyCount })
      .map(({ cut, showWhen, required, max }) => ({
        fields: [
          ...fields.slice(0, cut),
          { type: 'section', showWhen, fields: fields.slice(cut) },
          { type: 'repeating group', name: 'group', required, max, fields: fields.slice(0, 2) },
        ],
      }));
}

function anyAnswersTo(named: readonly Named[]): fc.Arbitrary<Record<string, unknown>> {
  const some = (examples: readonly Named[]): fc.Arbitrary<Record<string, unknown>> =>
    fc
      .tuple(
        ...examples.map(({ answer }) =>
          fc.oneof(
            { weight: 8, arbitrary: answer },
            { weight: 1, arbitrary: fc.constant(undefined) },
            { weight: 1, arbitrary: anyJunk },
          ),
        ),
      )
      .map((values) =>
        Object.fromEntries(examples.flatMap(({ name }, i) => (values[i] === undefined ? [] : [[name, values[i]]]))),
      );
  return fc
    .tuple(some(named), fc.array(some(named.slice(0, 2)), { maxLength: 2 }), fc.option(anyJunk))
    .map(([answers, group, extra]) => ({ ...answers, group, ...(extra === null ? {} : { extra }) }));
}

function conditionOn(named: readonly Named[]): fc.Arbitrary<string> {
  const atoms = named.flatMap(({ name, constants }) => [
    ...constants.flatMap((constant) =>
      ['==', '!=', '<', '>=', 'contains'].map((sign) => `${name} ${sign} ${constant}`),
    ),
    ...constants.map((constant) => `${constant} <= ${name}`),
    `${name} in [${constants.join(', ')}]`,
    `${name} in [null, ${constants[0]}]`,
    `${name} == null`,
    `${name} != null`,
    `empty(${name})`,
    name,
    `count(${name}) > 1`,
  ]);
  const atom = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...atoms) },
    { weight: 1, arbitrary: fc.constantFrom('true', 'false', 'gone == 1', 'empty(group)', 'q0 == q1', 'q0 + 1 > 2') },
  );
  return fc.oneof(
    { weight: 3, arbitrary: atom },
    { weight: 1, arbitrary: atom.map((one) => `not (${one})`) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(atom, fc.constantFrom('and', 'or'), atom)
        .map(([left, sign, right]) => `(${left}) ${sign} (${right})`),
    },
  );
}
