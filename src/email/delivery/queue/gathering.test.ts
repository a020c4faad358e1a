import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate as soon } from 'node:timers/promises';
import { Gathering } from './gathering.ts';

/** A gathering, and when each look was made, in milliseconds. */
function createScene() {
  mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const gathering = new Gathering(() => now);
  const looks: number[] = [];
  return {
    gathering,
    looks,
    look: (isBusy = true) => void gathering.untilNext({ isBusy }).then(() => looks.push(now)),
    async pass(ms: number) {
      await soon();
      now += ms;
      mock.timers.tick(ms);
      await soon();
    },
  };
}

test('looks are apart while much is under way, and not apart while little is', async (t) => {
  t.after(() => mock.timers.reset());
  const { look, looks, pass } = createScene();
  look();
  await pass(4);
  look();
  await pass(5);
  assert.deepEqual(looks, [0]);
  await pass(1);
  look(false);
  await pass(0);
  assert.deepEqual(looks, [0, 10, 10]);
});

test('mail that comes alone is looked for at once, and mail that comes in a stream is gathered', async (t) => {
  t.after(() => mock.timers.reset());
  const { gathering, look, looks, pass } = createScene();
  look();
  await pass(2);
  look();
  await pass(1);
  gathering.came();
  await pass(0);
  assert.deepEqual(looks, [0, 3]);
  look();
  for (let ms = 0; ms < 9; ms += 1) {
    await pass(1);
    gathering.came();
  }
  assert.deepEqual(looks, [0, 3]);
  await pass(1);
  assert.deepEqual(looks, [0, 3, 13]);
  gathering.came();
  await pass(2);
  look();
  await pass(8);
  assert.deepEqual(looks, [0, 3, 13, 23], 'what came before goes on being a stream');
});

test('what came alone while a look was made is looked for right after it', async (t) => {
  t.after(() => mock.timers.reset());
  const { gathering, look, looks, pass } = createScene();
  look();
  await pass(1);
  gathering.came();
  gathering.came();
  look();
  await pass(0);
  assert.deepEqual(looks, [0, 1]);
});
