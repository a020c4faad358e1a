import assert from 'node:assert/strict';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { type TestContext, test } from 'node:test';
import { type Answer, AUTHENTIC_DATA, decode, encode, type Packet } from 'dns-packet';
import { askServers } from '../../src/platform/net/dns/ask.ts';
import { createDns, type DnsOptions } from '../../src/platform/net/dns/dns.ts';
import { DnsFailed } from '../../src/platform/net/dns/dns-failed.ts';
import { startNameServer, type Zone } from '../delivery/name-server.ts';
import { createMovableClock } from '../support/clock.ts';

const TWICE = { tries: 2, tryMs: 5_000 };
const clock = createMovableClock();

function failsWith(reason: string) {
  return (error: unknown) => error instanceof DnsFailed && error.reason === reason;
}

/** A client of a name server that knows a zone. */
async function startPair(t: TestContext, zone: Zone, options: Partial<DnsOptions> = {}) {
  const server = await startNameServer(t, (name) => zone[name]);
  return { server, dns: createDns({ servers: [server.address], clock, ...TWICE, ...options }) };
}

/** A server that answers a datagram as it likes. */
async function startScripted(t: TestContext, answer: (query: Buffer, peer: RemoteInfo, send: Send) => void) {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  socket.on('message', (query, peer) => answer(query, peer, (bytes) => socket.send(bytes, peer.port, peer.address)));
  t.after(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}
type Send = (bytes: Buffer) => void;

function reply(query: Buffer, answers: Answer[], more: Partial<Packet> = {}): Buffer {
  const { id, questions } = decode(query);
  return encode({ type: 'response', id: id ?? 0, questions: questions ?? [], answers, ...more });
}

function address(name: string, data: string, ttl = 60): Answer {
  return { name, type: 'A', ttl, data };
}

test('each kind of record is found, and authentic where the server on this machine says so', async (t) => {
  const certificate = Buffer.alloc(32, 7);
  const tlsa = { usage: 3, selector: 1, matchingType: 1, certificate };
  const { dns } = await startPair(t, {
    'clinic.example': { mx: [[10, 'mx.clinic.example']], txt: ['a'.repeat(300)], authentic: true },
    'mx.clinic.example': { a: ['192.0.2.1'], aaaa: ['2001:db8::1'] },
    '_25._tcp.mx.clinic.example': { tlsa: [tlsa], authentic: true },
    'key._domainkey.clinic.example': { cname: 'key.sender.example' },
  });
  const found = { authentic: true, exists: true };
  assert.deepEqual(await dns.mx('Clinic.Example.'), {
    ...found,
    records: [{ preference: 10, exchange: 'mx.clinic.example' }],
  });
  assert.deepEqual(await dns.txt('clinic.example'), { ...found, records: ['a'.repeat(300)] });
  assert.deepEqual(await dns.tlsa('_25._tcp.mx.clinic.example'), { ...found, records: [tlsa] });
  const addresses = await dns.addresses('mx.clinic.example');
  assert.deepEqual(addresses, { records: ['2001:db8::1', '192.0.2.1'], authentic: false, exists: true });
  assert.deepEqual((await dns.cname('key._domainkey.clinic.example')).records, ['key.sender.example']);
});

test('the word of a server on another machine makes nothing authentic', async (t) => {
  const { server } = await startPair(t, { 'clinic.example': { mx: [[10, 'mx.clinic.example']], authentic: true } });
  const [host = '', port] = server.address.split(':');
  const question = { name: 'clinic.example', type: 'MX' } as const;
  for (const isLocal of [true, false]) {
    const heard = await askServers({ servers: [{ address: host, port: Number(port), isLocal }], ...TWICE }, question);
    assert.deepEqual([heard.message.isMarkedAuthentic, heard.authentic], [true, isLocal]);
  }
});

test('no such name, and a name without such a record, are told apart', async (t) => {
  const { dns } = await startPair(t, { 'clinic.example': { txt: ['x'] } });
  assert.deepEqual(await dns.mx('clinic.example'), { records: [], authentic: false, exists: true });
  assert.deepEqual(await dns.mx('gone.example'), { records: [], authentic: false, exists: false });
  assert.deepEqual(await dns.addresses('gone.example'), { records: [], authentic: false, exists: false });
});

test('a name that cannot be asked for does not exist, and nobody is asked', async (t) => {
  const { dns, server } = await startPair(t, {});
  for (const name of [
    '',
    '.',
    'a..b',
    `${'a'.repeat(64)}.example`,
    `${'abc.'.repeat(64)}example`,
    'a b.example',
    'ä.example',
  ]) {
    assert.deepEqual(await dns.txt(name), { records: [], authentic: false, exists: false }, name);
  }
  assert.deepEqual(server.asked, []);
});

test('a server that fails or keeps silent is asked twice and is never taken to say that there is nothing', async (t) => {
  const zone: Zone = { 'bogus.example': { fails: 'SERVFAIL' }, 'mute.example': { fails: 'silence' } };
  const { dns, server } = await startPair(t, zone);
  for (const ask of [dns.mx, dns.txt, dns.tlsa, dns.cname, dns.addresses]) {
    await assert.rejects(ask('bogus.example'), failsWith('servfail'));
  }
  assert.equal(server.asked.filter((each) => each === 'MX bogus.example').length, 2);
  const hasty = createDns({ servers: [server.address], clock, tries: 2, tryMs: 50 });
  await assert.rejects(hasty.mx('mute.example'), failsWith('timeout'));
  assert.equal(server.asked.filter((each) => each === 'MX mute.example').length, 2);
});

test('the next server is asked where the first fails, and nobody is there at all', async (t) => {
  const failing = await startNameServer(t, () => ({ fails: 'SERVFAIL' }));
  const good = await startNameServer(t, () => ({ a: ['192.0.2.9'] }));
  const both = createDns({ servers: [failing.address, good.address], clock, ...TWICE });
  assert.deepEqual((await both.addresses('a.example')).records, ['192.0.2.9']);
  const nobody = createDns({ servers: ['127.0.0.1:9'], clock, ...TWICE });
  await assert.rejects(nobody.mx('a.example'), failsWith('timeout'));
});

test('one kind of address is enough where the other kind is not answered', async (t) => {
  const server = await startScripted(t, (query, _peer, send) => {
    const isV4 = decode(query).questions?.[0]?.type === 'A';
    send(isV4 ? reply(query, [address('a.example', '192.0.2.1')]) : reply(query, [], { flags: 2 }));
  });
  const dns = createDns({ servers: [server], clock, ...TWICE });
  assert.deepEqual((await dns.addresses('a.example')).records, ['192.0.2.1']);
});

test('a truncated answer is asked for by TCP', async (t) => {
  const mx: [number, string][] = Array.from({ length: 100 }, (_, at) => [at, `mx${at}.clinic.example`]);
  const { dns, server } = await startPair(t, { 'clinic.example': { mx, truncated: true } });
  assert.equal((await dns.mx('clinic.example')).records.length, 100);
  assert.deepEqual(server.asked, ['MX clinic.example', 'MX clinic.example by TCP']);
});

test('an answer from a stranger, by another id or to another question is passed over', async (t) => {
  const stranger = createSocket('udp4');
  t.after(() => stranger.close());
  const server = await startScripted(t, (query, peer, send) => {
    const forged = reply(query, [address('a.example', '198.51.100.66')]);
    stranger.send(forged, peer.port, peer.address, () => {
      const otherId = Buffer.from(forged);
      otherId.writeUInt16BE(otherId.readUInt16BE(0) ^ 1);
      send(otherId);
      send(reply(query, [address('a.example', '198.51.100.67')], { questions: [{ name: 'b.example', type: 'A' }] }));
      send(reply(query, [address('a.example', '192.0.2.1')]));
    });
  });
  const dns = createDns({ servers: [server], clock, ...TWICE });
  assert.deepEqual((await dns.addresses('a.example')).records.includes('192.0.2.1'), true);
  assert.deepEqual(
    (await dns.addresses('a.example')).records.filter((each) => each.startsWith('198.')),
    [],
  );
});

test('garbage under the right id is malformed', async (t) => {
  const server = await startScripted(t, (query, _peer, send) =>
    send(Buffer.concat([query.subarray(0, 2), Buffer.alloc(30, 0xc0)])),
  );
  await assert.rejects(createDns({ servers: [server], clock, ...TWICE }).mx('a.example'), failsWith('malformed'));
});

test('every question has an id and a port of its own', async (t) => {
  const seen = new Set<string>();
  const server = await startScripted(t, (query, { port }, send) => {
    seen.add(`${port} ${query.readUInt16BE(0)}`);
    send(reply(query, []));
  });
  const dns = createDns({ servers: [server], clock, ...TWICE });
  await Promise.all(Array.from({ length: 30 }, (_, at) => dns.mx(`${at}.example`)));
  assert.equal(seen.size, 30);
});

test('aliases are followed within an answer and by further questions, and are as authentic as the weakest', async (t) => {
  const names: Record<string, Answer[]> = {
    'a.example': [
      { name: 'a.example', type: 'CNAME', ttl: 60, data: 'B.example' },
      { name: 'b.example', type: 'CNAME', ttl: 60, data: 'c.example' },
    ],
    'c.example': [address('c.example', '192.0.2.3'), address('other.example', '192.0.2.4')],
  };
  const server = await startScripted(t, (query, _peer, send) => {
    const { name = '' } = decode(query).questions?.[0] ?? {};
    send(reply(query, names[name] ?? [], { flags: name === 'a.example' ? 0 : AUTHENTIC_DATA }));
  });
  const dns = createDns({ servers: [server], clock, ...TWICE });
  assert.deepEqual(await dns.addresses('a.example'), { records: ['192.0.2.3'], authentic: false, exists: true });
  assert.deepEqual(await dns.addresses('c.example'), { records: ['192.0.2.3'], authentic: true, exists: true });
});

/** Answers every question for n0.example by an alias to n1.example, and so on up to `last`. */
function chain(last: number) {
  return (query: Buffer, _peer: RemoteInfo, send: Send) => {
    const { name = '' } = decode(query).questions?.[0] ?? {};
    const at = Number(/^n(\d+)/.exec(name)?.[1]);
    send(
      reply(query, [
        at === last ? address(name, '192.0.2.8') : { name, type: 'CNAME', ttl: 60, data: `n${at + 1}.example` },
      ]),
    );
  };
}

test('eight aliases are followed and not nine, nor a ring of them', async (t) => {
  const eight = createDns({ servers: [await startScripted(t, chain(8))], clock, ...TWICE });
  assert.deepEqual((await eight.addresses('n0.example')).records, ['192.0.2.8']);
  const nine = createDns({ servers: [await startScripted(t, chain(9))], clock, ...TWICE });
  assert.deepEqual((await nine.addresses('n0.example')).records, []);
  const ring = await startPair(t, { 'a.example': { cname: 'b.example' }, 'b.example': { cname: 'a.example' } });
  assert.deepEqual((await ring.dns.addresses('a.example')).records, []);
});

interface Kept {
  ttl: number;
  negative?: boolean;
  /** Seconds after which nothing has been asked again, and after which something has. */
  until: number;
}

for (const { ttl, negative = false, until } of [
  { ttl: 100, until: 100 },
  { ttl: 300, until: 300 },
  { ttl: 301, until: 300 },
  { ttl: 59, negative: true, until: 59 },
  { ttl: 3600, negative: true, until: 60 },
] satisfies Kept[]) {
  test(`${negative ? 'an absence' : 'an answer'} that holds for ${ttl} s is kept for ${until} s`, async (t) => {
    let asked = 0;
    const soa = { mname: 'ns.example', rname: 'x.example', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: ttl };
    const authorities: Answer[] = negative ? [{ name: 'example', type: 'SOA', ttl: 9999, data: soa }] : [];
    const records: Answer[] = negative ? [] : [{ name: 'a.example', type: 'TXT', ttl, data: 'x' }];
    const server = await startScripted(t, (query, _peer, send) => {
      asked += 1;
      send(reply(query, records, { authorities }));
    });
    const own = createMovableClock();
    const dns = createDns({ servers: [server], clock: own, ...TWICE });
    await Promise.all([dns.txt('a.example'), dns.txt('A.example')]);
    own.advance(until * 1000 - 1);
    await dns.txt('a.example');
    assert.equal(asked, 1);
    own.advance(1);
    await dns.txt('a.example');
    assert.equal(asked, 2);
  });
}

test('neither a failure nor an answer for the moment is kept', async (t) => {
  const { dns, server } = await startPair(t, { 'a.example': { txt: ['x'] }, 'bogus.example': { fails: 'SERVFAIL' } });
  for (const name of ['a.example', 'a.example', 'bogus.example', 'bogus.example']) await dns.txt(name).catch(() => {});
  assert.equal(server.asked.length, 6);
});

const TLSA = { usage: 3, selector: 0, matchingType: 0 };
const SIZES = {
  txt: { small: { txt: ['x'] }, large: { txt: ['x'.repeat(60_000)], truncated: true } },
  tlsa: {
    small: { tlsa: [{ ...TLSA, certificate: Buffer.alloc(1) }] },
    large: { tlsa: [{ ...TLSA, certificate: Buffer.alloc(60_000) }], truncated: true },
  },
};

for (const kind of ['txt', 'tlsa'] as const) {
  test(`answers of ${kind} are kept up to some megabytes of them, however many names have large ones`, async (t) => {
    const { small, large } = SIZES[kind];
    const server = await startNameServer(t, (name) => (name.startsWith('s') ? small : large), 100);
    const dns = createDns({ servers: [server.address], clock, ...TWICE });
    const names = Array.from({ length: 300 }, (_, at) => `${at}.example`);
    const ask = async (asked: string[]) => {
      server.asked.length = 0;
      for (const name of asked) assert.equal((await dns[kind](name)).records.length, 1);
      return server.asked.length;
    };
    const short = names.map((name) => `s${name}`);
    assert.deepEqual([await ask(short), await ask(short), await ask(names)], [300, 0, 600]);
    assert.equal(await ask(['0.example', '299.example', 's0.example']), 3);
  });
}
