import assert from 'node:assert/strict';
import { isIPv6 } from 'node:net';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isLoopbackAddress, isPublicAddress } from '../../src/platform/net/public-address.ts';
import { DENIED_V4, DENIED_V6, deniedV4, deniedV6, dotted, edgesOf, groups, WRAPPINGS } from './denied-addresses.ts';

const PUBLIC = `1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255
  128.0.0.0 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.88.98.255
  192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255
  203.0.114.0 223.255.255.255 2000::1 2001:200::1 2001:4860:4860::8888 2001:db7:ffff::1 2001:db9::1 2003::1
  2606:4700:4700::1111 2606:2800:220:1:248:1893:25c8:1946 2a00:1450:4001::200e 2A00:1450:4001::200E 3ffe::1
  ::ffff:8.8.8.8 ::ffff:808:808 0:0:0:0:0:FFFF:8.8.8.8 64:ff9b::8.8.8.8 64:ff9b::808:808
  2606:4700::5efe:808:808 2606:4700::1:5efe:a00:1`.split(/\s+/);

const NOT_PUBLIC =
  `localhost example.com 1.1.1 1.1.1.1. 01.1.1.1 1.1.1.1/32 0x08.8.8.8 134744072 256.1.1.1 [2606:4700::1]
  2606:4700::1%eth0 2606:4700::1%1 2606:4700::1% fe80::1%eth0 ::1%lo 8.8.8.8%eth0 ::ffff:8.8.8.8%eth0 2606:4700:::1
  2606:4700::1/64 8.8.8.8:443 ①.1.1.1 １.1.1.1 fe80::1 ::1 :: ::2 ::ffff:0:127.0.0.1 fd00:ec2::254
  168.63.129.16 ::ffff:168.63.129.16 64:ff9b::a83f:8110`.split(/\s+/);

for (const address of PUBLIC) {
  test(`${address} is public`, () => assert.equal(isPublicAddress(address), true));
}

for (const address of [...NOT_PUBLIC, '', ' 8.8.8.8', '8.8.8.8 ', '8.8.8.8\n', '8.8.8.8\0', '8.8.8.8,127.0.0.1']) {
  test(`${JSON.stringify(address)} is not public`, () => assert.equal(isPublicAddress(address), false));
}

for (const range of DENIED_V4) {
  test(`${range} is not public from its first address to its last, nor wrapped in IPv6`, () => {
    for (const edge of edgesOf(range)) {
      assert.equal(isPublicAddress(dotted(edge)), false, dotted(edge));
      for (const [way, wrap] of Object.entries(WRAPPINGS)) {
        assert.ok(isIPv6(wrap(edge)), way);
        assert.equal(isPublicAddress(wrap(edge)), false, `${way}: ${wrap(edge)}`);
      }
    }
  });
}

for (const [range, [prefix, bits]] of Object.entries(DENIED_V6)) {
  test(`${range} is not public at its first address nor at its last`, () => {
    const first = Array.from({ length: 8 }, (_, at) => prefix[at] ?? 0);
    const last = first.map((group, at) => group | (0xffff >>> Math.min(16, Math.max(0, bits - at * 16))));
    for (const edge of [first, last]) assert.equal(isPublicAddress(groups(edge)), false, groups(edge));
  });
}

test('no address of a denied range is public, plain or wrapped in any way', () => {
  fc.assert(
    fc.property(deniedV4, fc.constantFrom(...Object.values(WRAPPINGS)), (v4, wrap) => {
      assert.equal(isPublicAddress(dotted(v4)), false);
      assert.equal(isPublicAddress(wrap(v4)), false);
      assert.equal(isPublicAddress(wrap(v4).toUpperCase()), false);
    }),
    { numRuns: 5_000 },
  );
  fc.assert(
    fc.property(deniedV6, (address) => {
      assert.ok(isIPv6(address));
      assert.equal(isPublicAddress(address), false);
    }),
    { numRuns: 5_000 },
  );
});

test('no text is both public and loopback, and none makes the check throw', () => {
  const texts = fc.oneof(fc.string(), fc.ipV4(), fc.ipV4Extended(), fc.ipV6());
  fc.assert(
    fc.property(texts, (text) => {
      assert.ok(!(isPublicAddress(text) && isLoopbackAddress(text)));
    }),
    { numRuns: 5_000 },
  );
});

test('loopback is 127.0.0.0/8 and ::1 in their own spelling', () => {
  for (const address of ['127.0.0.1', '127.0.0.0', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1', '::0001']) {
    assert.equal(isLoopbackAddress(address), true, address);
  }
  const others = '126.255.255.255 128.0.0.0 0.0.0.0 :: ::2 ::ffff:127.0.0.1 ::127.0.0.1 ::1%lo localhost 127.1 0x7f.1';
  for (const address of [...others.split(' '), '']) assert.equal(isLoopbackAddress(address), false, address);
});
