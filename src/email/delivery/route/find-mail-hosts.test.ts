import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Dns, DnsAnswer } from '../../../platform/net/dns/dns.ts';
import { DnsFailed } from '../../../platform/net/dns/dns-failed.ts';
import type { Mx } from '../../../platform/net/dns/message.ts';
import { isPublicAddress } from '../../../platform/net/public-address.ts';
import { findMailHosts, type MailHost } from './find-mail-hosts.ts';

const V4 = '93.184.216.34';
const V6 = '2606:4700::1111';

interface World {
  mx?: Record<string, [number, string][] | 'none' | 'fails'>;
  addresses?: Record<string, string[] | 'fails'>;
  insecure?: string[];
}

function unasked(): never {
  return assert.fail('not asked for a route');
}

/** A name system that knows what it is told, and vouches for all but the insecure names. */
function dnsOf({ mx = {}, addresses = {}, insecure = [] }: World): Dns {
  const answer = <T>(name: string, records: T[] | undefined): DnsAnswer<T> => ({
    records: records ?? [],
    authentic: !insecure.includes(name),
    exists: records !== undefined,
  });
  return {
    async mx(name) {
      const found = mx[name];
      if (found === 'fails') throw new DnsFailed('servfail');
      const records: Mx[] | undefined =
        found === 'none' ? [] : found?.map(([preference, exchange]) => ({ preference, exchange }));
      return answer(name, records);
    },
    async addresses(name) {
      const found = addresses[name];
      if (found === 'fails') throw new DnsFailed('timeout');
      return answer(name, found);
    },
    txt: unasked,
    tlsa: unasked,
    cname: unasked,
  };
}

function find(world: World, domain = 'clinic.example', random: () => number = () => 0) {
  return findMailHosts({ dns: dnsOf(world), mayReach: isPublicAddress, random }, domain);
}

async function hostsOf(world: World, random?: () => number): Promise<MailHost[]> {
  const route = await find(world, 'clinic.example', random);
  assert.equal(route.kind, 'hosts');
  return route.kind === 'hosts' ? route.hosts : [];
}

test('hosts come by preference, with IPv6 and IPv4 in turn', async () => {
  const route = await find({
    mx: {
      'clinic.example': [
        [20, 'b.example'],
        [10, 'z.example'],
      ],
    },
    addresses: { 'b.example': [V4], 'z.example': ['8.8.8.8', V4, '2606:4700::1', V6, '1.1.1.1'] },
    insecure: ['b.example'],
  });
  assert.deepEqual(route, {
    kind: 'hosts',
    domain: 'clinic.example',
    hosts: [
      { name: 'z.example', preference: 10, addresses: ['2606:4700::1', '8.8.8.8', V6, V4], authentic: true },
      { name: 'b.example', preference: 20, addresses: [V4], authentic: false },
    ],
    dropped: [],
    authentic: true,
    site: 'b.example,z.example',
  });
});

test('without MX records the domain itself is the host', async () => {
  const route = await find({
    mx: { 'clinic.example': 'none' },
    addresses: { 'clinic.example': [V4] },
    insecure: ['clinic.example'],
  });
  const host = { name: 'clinic.example', preference: 0, addresses: [V4], authentic: false };
  const rest = { dropped: [], authentic: false, site: 'clinic.example' };
  assert.deepEqual(route, { kind: 'hosts', domain: 'clinic.example', hosts: [host], ...rest });
});

test('but not where there are some and none can be used', async () => {
  const route = await find({ mx: { 'clinic.example': [[1, '10.0.0.1']] }, addresses: { 'clinic.example': [V4] } });
  assert.equal(route.kind, 'no usable host');
});

test('a null MX refuses mail, and beside others it is passed over', async () => {
  assert.deepEqual(await find({ mx: { 'clinic.example': [[0, '.']] } }), { kind: 'refuses mail' });
  const mixed: World = {
    mx: {
      'clinic.example': [
        [0, '.'],
        [5, 'a.example'],
      ],
    },
    addresses: { 'a.example': [V4] },
  };
  assert.deepEqual(
    (await hostsOf(mixed)).map(({ name }) => name),
    ['a.example'],
  );
});

test('a name that does not exist, an address and what is no name are no domain', async () => {
  for (const domain of [
    'gone.example',
    '127.0.0.1',
    '0x7f.1',
    '[127.0.0.1]',
    '::1',
    '',
    '.',
    'a..b',
    `${'a'.repeat(64)}.example`,
    'a b.example',
  ]) {
    assert.deepEqual(await find({ mx: { '127.0.0.1': 'none' } }, domain), { kind: 'no such domain' }, domain);
  }
});

test('a domain is looked up by its A-labels, however it is written', async () => {
  const world: World = { mx: { 'xn--rzte-koa.example': [[1, 'a.example']] }, addresses: { 'a.example': [V4] } };
  for (const written of [
    'ärzte.example',
    'ÄRZTE.Example',
    'a\u0308rzte.example',
    'xn--rzte-koa.example',
    'ärzte.example.',
  ]) {
    const route = await find(world, written);
    assert.equal(route.kind === 'hosts' && route.domain, 'xn--rzte-koa.example', written);
  }
});

test('a host that cannot be reached is dropped and it is said why', async () => {
  const mx: World['mx'] = {
    'clinic.example': [
      [1, 'inner.example'],
      [2, 'empty.example'],
      [3, 'mute.example'],
      [4, 'a.example'],
    ],
  };
  const addresses = {
    'inner.example': ['10.0.0.1', '169.254.169.254'],
    'empty.example': [],
    'mute.example': 'fails' as const,
  };
  const route = await find({ mx, addresses: { ...addresses, 'a.example': ['127.0.0.1', V4] } });
  assert.ok(route.kind === 'hosts');
  assert.deepEqual(
    route.hosts.map((host) => host.addresses),
    [[V4]],
  );
  assert.deepEqual(route.dropped, [
    { name: 'inner.example', reason: 'its addresses are not of the open internet' },
    { name: 'empty.example', reason: 'it has no address' },
    { name: 'mute.example', reason: 'its addresses could not be looked up' },
  ]);
  const without = await find({
    mx: {
      'clinic.example': [
        [1, 'inner.example'],
        [2, 'empty.example'],
      ],
    },
    addresses,
  });
  assert.deepEqual([without.kind, 'dropped' in without && without.dropped.length], ['no usable host', 2]);
});

test('a failed question is no answer', async () => {
  await assert.rejects(find({ mx: { 'clinic.example': 'fails' } }), DnsFailed);
  const addresses: World['addresses'] = { 'a.example': 'fails', 'b.example': [], 'clinic.example': 'fails' };
  await assert.rejects(
    find({
      mx: {
        'clinic.example': [
          [1, 'a.example'],
          [2, 'b.example'],
        ],
      },
      addresses,
    }),
    DnsFailed,
  );
  await assert.rejects(find({ mx: { 'clinic.example': 'none' }, addresses }), DnsFailed);
});

test('ten hosts are enough, and chance changes neither which they are nor the site', async () => {
  const many = Array.from({ length: 12 }, (_, at): [number, string] => [at < 11 ? 5 : 1, `mx${at + 10}.example`]);
  const addresses = Object.fromEntries(many.map(([, name]) => [name, [V4]]));
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      fc.shuffledSubarray(many, { minLength: 12 }),
      async (lots, mx) => {
        const route = await find(
          { mx: { 'clinic.example': mx }, addresses },
          'clinic.example',
          () => lots.next().value,
        );
        assert.ok(route.kind === 'hosts' && route.hosts.length === 10 && route.hosts[0]?.name === 'mx21.example');
        seen.add(route.site);
      },
    ),
    { numRuns: 200 },
  );
  assert.equal(seen.size, 1);
});

test('among equals every order comes up about as often', async () => {
  const mx: [number, string][] = [
    [5, 'a.example'],
    [5, 'b.example'],
    [5, 'c.example'],
    [9, 'd.example'],
  ];
  const addresses = Object.fromEntries(mx.map(([, name]) => [name, [V4]]));
  let state = 1;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const orders = new Map<string, number>();
  for (let run = 0; run < 1_200; run += 1) {
    const order = (await hostsOf({ mx: { 'clinic.example': mx }, addresses }, random))
      .map(({ name }) => name[0])
      .join('');
    orders.set(order, (orders.get(order) ?? 0) + 1);
  }
  assert.deepEqual([...orders.keys()].toSorted(), ['abcd', 'acbd', 'bacd', 'bcad', 'cabd', 'cbad']);
  for (const count of orders.values()) assert.ok(count > 140 && count < 260, String(count));
});

test('a host that is named twice is tried once, at its best place', async () => {
  const mx: [number, string][] = [
    [30, 'a.example'],
    [20, 'b.example'],
    [10, 'a.example'],
  ];
  const hosts = await hostsOf({ mx: { 'clinic.example': mx }, addresses: { 'a.example': [V4], 'b.example': [V4] } });
  assert.deepEqual(
    hosts.map(({ name, preference }) => [name, preference]),
    [
      ['a.example', 10],
      ['b.example', 20],
    ],
  );
});
