import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { createGroupCommit } from '../../src/platform/db/group-commit.ts';
import { AppError } from '../../src/platform/errors.ts';

interface Item {
  id: number;
  size: number;
  bad?: boolean;
}

function databaseError(code: string): Error {
  return Object.assign(new Error(`refused with ${code}`), { code });
}

/** A commit that writes down what it was given, takes a turn of the event loop, and fails on a bad item. */
function fakeCommit(failure: (items: Item[], attempt: number) => Error | null = failOnBad) {
  const batches: number[][] = [];
  const written: number[] = [];
  let atOnce = 0;
  let most = 0;
  return {
    batches,
    written,
    mostAtOnce: () => most,
    async commit(items: Item[]): Promise<string[]> {
      batches.push(items.map(({ id }) => id));
      most = Math.max(most, (atOnce += 1));
      await turn();
      atOnce -= 1;
      const error = failure(items, batches.length);
      if (error !== null) throw error;
      written.push(...items.map(({ id }) => id));
      return items.map(({ id }) => `result ${id}`);
    },
  };
}

function failOnBad(items: Item[]): Error | null {
  const bad = items.find((item) => item.bad === true);
  return bad === undefined ? null : databaseError('23505');
}

const sizeOf = (item: Item) => item.size;
const items = (count: number, size = 1): Item[] => Array.from({ length: count }, (_, id) => ({ id, size }));

test('callers at the same moment share one commit, and each gets the result of its own item', async () => {
  const { commit, batches } = fakeCommit();
  const submit = createGroupCommit({ commit, sizeOf });
  assert.deepEqual(
    await Promise.all(items(20).map(submit)),
    items(20).map(({ id }) => `result ${id}`),
  );
  assert.deepEqual(batches, [items(20).map(({ id }) => id)]);
});

test('what arrives while a commit is under way gathers for the next one', async () => {
  const { commit, batches, mostAtOnce } = fakeCommit();
  const submit = createGroupCommit({ commit, sizeOf });
  const first = submit({ id: 100, size: 1 });
  while (batches.length === 0) await turn();
  await Promise.all([first, ...items(10).map(submit)]);
  assert.deepEqual(batches, [[100], items(10).map(({ id }) => id)]);
  assert.equal(mostAtOnce(), 1);
});

test('a caller alone does not wait for company', async () => {
  const { commit, batches } = fakeCommit();
  const submit = createGroupCommit({ commit, sizeOf });
  assert.equal(await submit({ id: 1, size: 1 }), 'result 1');
  assert.equal(await submit({ id: 2, size: 1 }), 'result 2');
  assert.deepEqual(batches, [[1], [2]]);
});

test('a bad item fails alone with its own error, and its neighbours are written without it', async () => {
  const { commit, written } = fakeCommit();
  const submit = createGroupCommit({ commit, sizeOf });
  const outcomes = await Promise.allSettled(items(9).map((item) => submit({ ...item, bad: item.id === 4 })));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    items(9).map(({ id }) => (id === 4 ? 'rejected' : 'fulfilled')),
  );
  assert.equal((outcomes[4] as PromiseRejectedResult).reason.code, '23505');
  assert.deepEqual(
    written.toSorted((a, b) => a - b),
    [0, 1, 2, 3, 5, 6, 7, 8],
  );
});

test('a batch keeps to its limits of items and bytes, and an item above them goes alone', async () => {
  const few = fakeCommit();
  await Promise.all(items(10).map(createGroupCommit({ commit: few.commit, sizeOf, maxItems: 4 })));
  assert.deepEqual(few.batches, [
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [8, 9],
  ]);
  const small = fakeCommit();
  const submit = createGroupCommit({ commit: small.commit, sizeOf, maxBytes: 100 });
  await Promise.all([40, 60, 1, 500, 99, 2].map((size, id) => submit({ id, size })));
  assert.deepEqual(small.batches, [[0, 1], [2], [3], [4], [5]]);
});

test('whatever arrives in whatever order: each good item is written once, each bad one fails, limits hold', async () => {
  const anyItem = fc.record({ size: fc.nat(60), bad: fc.boolean(), wait: fc.nat(4) });
  const anyLimits = fc.record({
    maxItems: fc.integer({ min: 1, max: 9 }),
    maxBytes: fc.integer({ min: 1, max: 120 }),
  });
  type Wanted = { size: number; bad: boolean; wait: number };
  type Limits = { maxItems: number; maxBytes: number };
  const property = async (wanted: Wanted[], limits: Limits) => {
    const { commit, batches, written, mostAtOnce } = fakeCommit();
    const submit = createGroupCommit({ commit, sizeOf, ...limits });
    const outcomes = await Promise.allSettled(
      wanted.map(async ({ size, bad, wait }, id) => {
        for (let turns = 0; turns < wait; turns += 1) await turn();
        return submit({ id, size, bad });
      }),
    );
    outcomes.forEach((outcome, id) => {
      if (wanted[id]?.bad === true) assert.equal(outcome.status, 'rejected');
      else assert.deepEqual(outcome, { status: 'fulfilled', value: `result ${id}` });
    });
    const good = [...wanted.keys()].filter((id) => wanted[id]?.bad === false);
    assert.deepEqual(
      written.toSorted((a, b) => a - b),
      good,
    );
    assert.ok(mostAtOnce() <= 1);
    for (const batch of batches) {
      const bytes = batch.reduce((sum, id) => sum + (wanted[id]?.size ?? 0), 0);
      assert.ok(batch.length <= limits.maxItems && (bytes <= limits.maxBytes || batch.length === 1));
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(anyItem, { maxLength: 40 }), anyLimits, property), { numRuns: 300 });
});

test('a conflict that passes is tried again as a whole, and no caller hears of it', async () => {
  for (const code of ['40P01', '40001']) {
    const { commit, batches } = fakeCommit((_items, attempt) => (attempt < 3 ? databaseError(code) : null));
    const results = await Promise.all(items(5).map(createGroupCommit({ commit, sizeOf })));
    assert.deepEqual(
      results,
      items(5).map(({ id }) => `result ${id}`),
    );
    assert.deepEqual(
      batches,
      Array.from({ length: 3 }, () => [0, 1, 2, 3, 4]),
    );
  }
});

test('a conflict that never passes ends after a few tries', async () => {
  const { commit, batches } = fakeCommit(() => databaseError('40P01'));
  await assert.rejects(createGroupCommit({ commit, sizeOf })({ id: 1, size: 1 }), { code: '40P01' });
  assert.ok(batches.length <= 5, `${batches.length} tries`);
});

test('while the database is away all fail with the same error and none is tried singly', async () => {
  for (const code of ['ECONNREFUSED', '57P01', '53100', '08006']) {
    const away = databaseError(code);
    const { commit, batches } = fakeCommit(() => away);
    const outcomes = await Promise.allSettled(items(30).map(createGroupCommit({ commit, sizeOf })));
    assert.ok(outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason === away));
    assert.equal(batches.length, 1);
  }
});

test('who waits behind a commit that is never answered is told with it, and the next caller is served again', async () => {
  const silence = new Error('Query read timeout');
  const { commit, batches } = fakeCommit((_items, attempt) => (attempt === 1 ? silence : null));
  const submit = createGroupCommit({ commit, sizeOf, maxWaitingBytes: 10 });
  const first = submit({ id: 100, size: 1 });
  while (batches.length === 0) await turn();
  const outcomes = await Promise.allSettled([first, ...items(10).map(submit)]);
  assert.ok(outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason === silence));
  assert.deepEqual(batches, [[100]]);
  assert.equal((await Promise.all(items(10).map(submit))).length, 10);
});

test('where the database falls silent over one of a batch that failed, the others are told with it', async () => {
  const silence = new Error('Query read timeout');
  const { commit, batches, written } = fakeCommit((given, attempt) => (attempt === 3 ? silence : failOnBad(given)));
  const submit = createGroupCommit({ commit, sizeOf });
  const outcomes = await Promise.allSettled(items(5).map((item) => submit({ ...item, bad: item.id === 4 })));
  assert.deepEqual(batches, [[0, 1, 2, 3, 4], [0], [1]]);
  assert.deepEqual(written, [0]);
  for (const outcome of outcomes.slice(1)) assert.ok(outcome.status === 'rejected' && outcome.reason === silence);
});

test('after an outage the next caller is served again', async () => {
  const { commit } = fakeCommit((_items, attempt) => (attempt === 1 ? databaseError('57P03') : null));
  const submit = createGroupCommit({ commit, sizeOf });
  await assert.rejects(submit({ id: 1, size: 1 }), { code: '57P03' });
  assert.equal(await submit({ id: 2, size: 1 }), 'result 2');
});

test('more waiting than allowed is refused as unavailable at once, and what waits is still written', async () => {
  const { commit, written } = fakeCommit();
  const submit = createGroupCommit({ commit, sizeOf, maxWaiting: 3 });
  const outcomes = await Promise.allSettled(items(5).map(submit));
  assert.deepEqual(written, [0, 1, 2]);
  for (const outcome of outcomes.slice(3)) {
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof AppError);
    assert.equal(outcome.reason.code, 'unavailable');
    assert.equal(outcome.reason.retryAfterSeconds, 1);
  }
});
