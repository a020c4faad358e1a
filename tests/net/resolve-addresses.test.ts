import assert from 'node:assert/strict';
import { isIPv4, isIPv6 } from 'node:net';
import { test } from 'node:test';
import { createDialler } from '../../src/platform/net/dial.ts';
import type { DialFailed } from '../../src/platform/net/dial-failed.ts';
import { resolveWith } from '../../src/platform/net/resolve-addresses.ts';
import { createSelfSigned } from '../../src/platform/net/self-signed.ts';
import { type Name, startNameServer } from '../delivery/name-server.ts';
import { connectToReceiver } from './connect-to-receiver.ts';
import { startReceiver } from './receiver.ts';

const NAMES: Record<string, string[]> = {
  'both.example.test': ['93.184.216.34', '93.184.216.35', '2606:4700::1111'],
  'four.example.test': ['93.184.216.34'],
  'six.example.test': ['2606:4700::1111'],
};

function having(addresses: string[]): Name {
  return { a: addresses.filter(isIPv4), aaaa: addresses.filter(isIPv6) };
}

test('a name gives all of its IPv4 and IPv6 addresses', async (t) => {
  const { address } = await startNameServer(t, (name) => having(NAMES[name] ?? []));
  const resolve = resolveWith([address]);
  for (const [name, addresses] of Object.entries(NAMES)) assert.deepEqual(await resolve(name), addresses);
  await assert.rejects(resolve('none.example.test'));
});

test('a name that changes its address between check and use never brings a call to this machine', async (t) => {
  const certificate = await createSelfSigned('hooks.example.test', new Date());
  const canary = await startReceiver(t, { certificate });
  const receiver = await startReceiver(t, { certificate });
  const answers = [['93.184.216.34'], ['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['::1', '93.184.216.34']];
  let turn = 0;
  const { address } = await startNameServer(t, () => having(answers[Math.floor(turn++ / 2) % answers.length] ?? []));
  const { connect, asked } = connectToReceiver({ '93.184.216.34': receiver });
  const resolve = resolveWith([address]);
  const dial = createDialler({ resolve, allowLoopback: false, authorities: certificate.cert, connect });
  const url = `https://hooks.example.test:${canary.port}/`;
  let delivered = 0;
  for (let round = 0; round < 1_000; round += 1) {
    try {
      await dial({ url, headers: {}, body: 'x', timeoutMs: 15_000 });
      delivered += 1;
    } catch (error) {
      assert.equal((error as DialFailed).reason, 'refused-target');
    }
  }
  assert.ok(delivered > 200 && delivered < 300, `${delivered} met the one answer in four that is wholly public`);
  assert.equal(receiver.connections(), delivered);
  assert.deepEqual(new Set(asked), new Set([`93.184.216.34 ${canary.port}`]));
  assert.equal(canary.connections(), 0);
});
