import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dns } from '../../../platform/net/dns/dns.ts';
import { DnsFailed } from '../../../platform/net/dns/dns-failed.ts';
import type { TlsaRecord } from '../../../platform/net/dns/message.ts';
import { tlsaOf } from './tlsa.ts';

function recordOf(usage: number, selector: number, matchingType: number, bytes = 32): TlsaRecord {
  return { usage, selector, matchingType, certificate: Buffer.alloc(bytes, 1) };
}

function dnsWith(records: TlsaRecord[], authentic = true): { dns: Dns; asked: string[] } {
  const asked: string[] = [];
  const tlsa = async (name: string) => {
    asked.push(name);
    return { records, authentic, exists: true };
  };
  return { dns: { tlsa } as unknown as Dns, asked };
}

test('the usable records of a server and its port are given', async () => {
  const { dns, asked } = dnsWith([
    recordOf(3, 1, 1),
    recordOf(2, 0, 2, 64),
    recordOf(3, 0, 0, 700),
    recordOf(0, 1, 1),
    recordOf(1, 1, 1),
    recordOf(4, 1, 1),
    recordOf(3, 2, 1),
    recordOf(3, 1, 3),
    recordOf(3, 1, 1, 31),
    recordOf(3, 1, 2, 32),
    recordOf(3, 1, 0, 0),
  ]);
  assert.deepEqual(
    (await tlsaOf(dns, 'mx.example', 2525))?.map(({ usage, selector, matching, data }) => [
      usage,
      selector,
      matching,
      data.length,
    ]),
    [
      [3, 1, 1, 32],
      [2, 0, 2, 64],
      [3, 0, 0, 700],
    ],
  );
  assert.deepEqual(asked, ['_2525._tcp.mx.example']);
});

test('none that can be used is told from none at all', async () => {
  assert.deepEqual(await tlsaOf(dnsWith([recordOf(1, 1, 1)]).dns, 'mx.example', 25), []);
  assert.equal(await tlsaOf(dnsWith([]).dns, 'mx.example', 25), null);
});

test('records that nobody vouches for do not count, and a failed question is no answer', async () => {
  assert.equal(await tlsaOf(dnsWith([recordOf(3, 1, 1)], false).dns, 'mx.example', 25), null);
  const failing = { tlsa: () => Promise.reject(new DnsFailed('servfail')) } as unknown as Dns;
  await assert.rejects(tlsaOf(failing, 'mx.example', 25), DnsFailed);
});
