import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Name, startNameServer } from '../delivery/name-server.ts';
import { openCommandLine } from '../support/command-line.ts';

interface Shown {
  domain: string;
  state: string;
  records: { type: string; name: string; value: string; status: string; required: boolean; key: string | null }[];
}

test('a domain is added, published, checked, listed and given new keys on the command line', async (t) => {
  const zone: Record<string, Name> = {};
  const server = await startNameServer(t, (name) => zone[name]);
  const { env, json, text, run } = await openCommandLine(t);
  Object.assign(env, { CAREPOST_DNS_SERVERS: server.address, CAREPOST_RETURN_PATH_DOMAIN: 'bounces.post.example' });
  const domains = async (...args: string[]) => (await json('domain', ...args)).data as Shown[];
  const publish = (shown: Shown | undefined) => {
    for (const { type, name, value } of shown?.records ?? []) {
      zone[name] = type === 'TXT' ? { txt: [value] } : { cname: value };
    }
  };
  const { id } = await json('customer', 'create', '--name', 'Elm', '--username', 'elm');
  const customer = ['--customer', String(id)];

  const [added] = await domains('add', ...customer, 'Elm.example');
  assert.deepEqual([added?.domain, added?.state, added?.records.length], ['elm.example', 'pending', 6]);
  const [unseen] = await domains('check', ...customer, 'elm.example');
  assert.deepEqual([unseen?.state, ...new Set(unseen?.records.map(({ status }) => status))], ['pending', 'missing']);
  publish(added);
  const [verified] = await domains('check', ...customer);
  assert.deepEqual([verified?.state, ...new Set(verified?.records.map(({ status }) => status))], ['verified', 'found']);
  assert.deepEqual(await domains('list', ...customer), [verified]);

  const [rotated] = await domains('rotate', ...customer, 'elm.example');
  assert.equal(rotated?.records.filter(({ key }) => key === 'pending').length, 2);
  publish(rotated);
  await domains('check', ...customer);
  const words = await text('domain', 'list', ...customer);
  assert.match(words, /^elm\.example {2}verified\n {2}found, required\n {4}TXT {2}_carepost\.elm\.example\n/);
  assert.equal(words.match(/found, may be removed after \d{4}-\d\d-\d\d\n/g)?.length, 2);

  assert.equal((await domains('add', '--customer', '0', 'post.example'))[0]?.state, 'pending');
  assert.deepEqual(
    (await domains('list', '--customer', '0')).map(({ domain }) => domain),
    ['post.example'],
  );
  const refusals = [
    [2, ['add', ...customer, 'no domain'], 'domain: is not a domain name'],
    [1, ['check', ...customer, 'oak.example'], 'The customer has no such sending domain'],
    [1, ['rotate', '--customer', '0', 'post.example'], 'Keys of this domain wait to be seen in DNS'],
    [2, ['rotate', ...customer], 'domain rotate takes one DOMAIN'],
  ] as const;
  const ended = await Promise.all(refusals.map(([, args]) => run(['domain', ...args])));
  for (const [i, { code, err }] of ended.entries()) {
    assert.equal(code, refusals[i]?.[0]);
    assert.ok(err.startsWith(`carepost: ${refusals[i]?.[2]}`), err);
  }
});
