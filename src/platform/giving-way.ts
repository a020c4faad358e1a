import { setImmediate } from 'node:timers/promises';

/** For how long a piece of work keeps the one thread before whoever else waits has a turn. */
const LONGEST_MS = 10;

/**
 * Items one after the other, with a turn for everybody else wherever they and what is made of them have taken long. An
 * export awaits much and waits for nothing, and without it nobody would be answered meanwhile.
 */
export async function* givingWay<Item>(items: Iterable<Item>): AsyncGenerator<Item, void, undefined> {
  let since = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - since < LONGEST_MS) continue;
    await setImmediate();
    since = performance.now();
  }
}
