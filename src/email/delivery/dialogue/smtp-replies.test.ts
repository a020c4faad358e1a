import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { ReplyReader } from './smtp-replies.ts';

test('a peer has all of its time from when it is given it once more, and no longer', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const replies = new ReplyReader(new PassThrough() as unknown as Socket);
  const late = replies.next(1_000).catch((error: Error) => error.message);
  t.mock.timers.tick(999);
  replies.prolong();
  t.mock.timers.tick(999);
  assert.equal(await Promise.race([late, Promise.resolve('still waiting')]), 'still waiting');
  t.mock.timers.tick(1);
  assert.equal(await late, 'the peer did not answer in time');
});
