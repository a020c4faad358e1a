import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createByteRoom } from './byte-room.ts';
import { whileUsed } from './while-used.ts';

test('what several use at once is made once, and its room is given back with the last of them', async () => {
  let [made, given] = [0, 0];
  const shared = whileUsed(async (uses) => {
    uses.push(() => (given += 1));
    made += 1;
    return made;
  });
  const [first, second, third] = [shared.user(), shared.user(), shared.user()];
  assert.deepEqual([await first.use(), await first.use(), await second.use()], [1, 1, 1]);
  first.over();
  first.over();
  assert.equal(given, 0);
  second.over();
  assert.equal(given, 1);
  assert.equal(await third.use(), 2, 'made anew for whoever comes later');
  third.over();
  shared.user().over();
  assert.deepEqual([made, given], [2, 2]);
});

test('what cannot be made leaves nothing taken, and is tried again', async () => {
  const room = createByteRoom(10);
  let tries = 0;
  const shared = whileUsed(async (uses) => {
    await room.take(10);
    uses.push(() => room.give(10));
    tries += 1;
    if (tries === 1) throw new Error('cannot be read');
    return tries;
  });
  const first = shared.user();
  await assert.rejects(first.use());
  first.over();
  assert.equal(await shared.user().use(), 2);
});

test('whoever has room waits for nobody who waits for room', async () => {
  const room = createByteRoom(10);
  const message = () =>
    whileUsed(async (uses) => {
      await room.take(6);
      uses.push(() => room.give(6));
    });
  const [one, other] = [message(), message()];
  const ahead = one.user();
  await ahead.use();
  const behind = other.user(); // has the turn that `one` needs for its next errand, and waits for room
  const served = behind.use();
  ahead.over();
  await served;
  const next = one.user();
  behind.over();
  await next.use();
});
