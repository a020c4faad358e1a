import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { findTargets, pathsIn, replaceAt, type Target, type Targets } from '../support/body-targets.ts';
import { CEREMONIES } from '../support/dashboard-samples.ts';
import { RUNS, shareFor } from '../support/look.ts';
import { assertNothingLogged, assertRefused, faultsOf, MARKER, NUMBER_MARKER } from '../support/refusals.ts';
import { countChanges, watchRows } from '../support/row-changes.ts';
import { NEEDS_NO_BODY, SAMPLES } from '../support/samples.ts';

let app: TestApp;
let targets: Targets;
before(async (t) => {
  app = await startApp(t as TestContext);
  targets = await findTargets(app, await app.createCustomer());
  await withConnection(app.installation.ownerUrl, watchRows);
});

const anyJson = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 });

/** Random JSON, and the sample with random JSON at one or two random places. */
function anyBodyLike(sample: object): fc.Arbitrary<unknown> {
  const anyValue = fc.oneof(anyJson, fc.string({ unit: 'binary' }), fc.constant(MARKER));
  const changes = fc.array(fc.tuple(fc.constantFrom(...pathsIn(sample)), anyValue), { minLength: 1, maxLength: 2 });
  const changed = changes.map((list) =>
    // The longer path first: a change never looks for a place that another took away.
    list
      .toSorted(([one], [other]) => other.length - one.length)
      .reduce<unknown>((body, [path, value]) => replaceAt(body, path, value), sample),
  );
  return fc.oneof({ weight: 1, arbitrary: anyJson }, { weight: 4, arbitrary: changed });
}

for (const operation of Object.keys(SAMPLES)) {
  test(`random JSON to ${operation} is accepted or refused, and stored only where it is accepted`, async () => {
    const target = targets.canonical.find((each) => each.operation === operation);
    assert.ok(target);
    await withConnection(app.installation.ownerUrl, async (client) => {
      if (target.success === 201) await targets.forget(client);
      let stored = await countChanges(client);
      const property = fc.asyncProperty(anyBodyLike(target.sample), async (body) => {
        const fits = target.fits(body) || (body === null && NEEDS_NO_BODY.has(operation));
        if (fits) {
          assert.deepEqual(await countChanges(client), stored, 'what was refused before has left nothing');
          if (target.success === 201) {
            await targets.forget(client);
            stored = await countChanges(client);
          }
        }
        const answer = await targets.send(target, JSON.stringify(body));
        if (answer.status < 300) {
          assert.ok(fits, 'what is accepted fits the API reference');
          stored = await countChanges(client);
        } else {
          assert.deepEqual(faultsOf(answer, target.errorKeys), []);
          if (CEREMONIES.has(operation)) stored = await countChanges(client);
          else if (fits) assert.deepEqual(await countChanges(client), stored);
        }
      });
      await fc.assert(property, { numRuns: RUNS });
      assert.deepEqual(await countChanges(client), stored);
    });
    assertNothingLogged(app);
  });
}

const SIMPLE = [null, true, 0, -1, 1.5, NUMBER_MARKER, 1e300, '', ' ', MARKER, MARKER.repeat(2_000), undefined];
const EDGES = [2 ** 31, 2 ** 53, 2 ** 63, '0000-01-01T00:00:00Z', '2026-12-31T23:59:60Z', 'a@b.c', '{', '{}'];
const LISTS = [[], [MARKER], [null], [[]], [{ [MARKER]: [MARKER] }]];
const OBJECTS = [{}, { [MARKER]: MARKER }, { [MARKER]: NUMBER_MARKER }, { length: 1 }, { a: { b: [{ c: MARKER }] } }];

/** What stands in for every field; on aliases, which lead to the same handlers, for some. */
const KINDS = [
  null,
  true,
  NUMBER_MARKER,
  MARKER,
  [MARKER],
  { [MARKER]: NUMBER_MARKER },
  [[{ a: [MARKER] }]],
  undefined,
];

const OTHERS = [...SIMPLE, ...EDGES, ...LISTS, ...OBJECTS];

function valuesFor({ canonical }: Target, place: number): unknown[] {
  return canonical ? [...KINDS, ...shareFor(place, OTHERS)] : shareFor(place, KINDS);
}

test('a field of a wrong type is refused, and what the API reference allows never fails', async () => {
  let place = 0;
  const changes = targets.spread.flatMap((target) =>
    pathsIn(target.sample).flatMap((path) =>
      valuesFor(target, place++).map((value) => {
        const body = replaceAt(target.sample, path, value);
        const what = `${target.path} ${path.join('.')} = ${JSON.stringify(value)?.slice(0, 60)}`;
        return {
          what,
          errorKeys: target.errorKeys,
          status: target.invalidStatus,
          fits: target.fits(body),
          send: () => targets.send(target, JSON.stringify(body)),
        };
      }),
    ),
  );
  await assertRefused(
    app,
    changes.filter(({ fits }) => !fits),
  );
  const faults: string[] = [];
  for (const { what, errorKeys, send: sendIt } of changes.filter(({ fits }) => fits)) {
    const answer = await sendIt();
    if (answer.status >= 300) faults.push(...faultsOf(answer, errorKeys).map((fault) => `${what}: ${fault}`));
  }
  assert.deepEqual(faults, []);
  assertNothingLogged(app);
});
