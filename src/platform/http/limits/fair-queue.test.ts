import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FairQueue, type Origin } from './fair-queue.ts';

interface Waiting extends Origin {
  number: number;
}

const arrivals = fc
  .array(fc.record({ network: fc.constantFrom('a', 'b', 'c'), caller: fc.constantFrom('', 'x', 'y') }), {
    maxLength: 60,
  })
  .map((origins) => origins.map((origin, number): Waiting => ({ ...origin, number })));

function takeAll(queue: FairQueue<Waiting>): Waiting[] {
  const taken: Waiting[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) taken.push(next);
  return taken;
}

function queued(waiting: Waiting[]): FairQueue<Waiting> {
  const queue = new FairQueue<Waiting>();
  for (const each of waiting) queue.add(each, each);
  return queue;
}

test('each who waits is taken once, and a caller’s own in the order they came', () => {
  fc.assert(
    fc.property(arrivals, (waiting) => {
      const taken = takeAll(queued(waiting));
      assert.deepEqual(new Set(taken), new Set(waiting));
      assert.equal(taken.length, waiting.length);
      const byCaller = Map.groupBy(taken, ({ network, caller }) => `${network}/${caller}`);
      for (const own of byCaller.values()) {
        const numbers = own.map(({ number }) => number);
        assert.deepEqual(
          numbers,
          numbers.toSorted((one, other) => one - other),
        );
      }
    }),
  );
});

test('nobody waits for more than one of each other network, nor within it of each other caller, between two of one’s own', () => {
  fc.assert(
    fc.property(arrivals, (waiting) => {
      const taken = takeAll(queued(waiting));
      assertTurns(taken, ({ network }) => network);
      for (const own of Map.groupBy(taken, ({ network }) => network).values()) assertTurns(own, ({ caller }) => caller);
    }),
  );
});

/** As long as somebody has more to come, no other has two between. */
function assertTurns(taken: Waiting[], of: (each: Waiting) => string): void {
  for (const one of new Set(taken.map(of))) {
    const last = taken.findLastIndex((each) => of(each) === one);
    let since = new Set<string>();
    for (const each of taken.slice(0, last + 1)) {
      if (of(each) === one) since = new Set();
      else {
        assert.ok(!since.has(of(each)), `two of ${of(each)} before one of ${one}`);
        since.add(of(each));
      }
    }
  }
}

test('whoever comes while others wait by the hundred goes on behind one of theirs', () => {
  const queue = new FairQueue<string>();
  for (let each = 0; each < 500; each += 1) queue.add({ network: 'a', caller: `made up ${each}` }, 'flood');
  queue.take();
  queue.add({ network: 'b', caller: '' }, 'calm');
  assert.deepEqual([queue.take(), queue.take()], ['flood', 'calm']);
});
