import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isPublicAddress } from '../../src/platform/net/public-address.ts';
import { checkTargetUrl, hostOf, TargetRefused } from '../../src/platform/net/target-url.ts';
import { deniedV4, deniedV6, octets, WRAPPINGS } from './denied-addresses.ts';
import { ACCEPTED, REFUSED } from './target-urls.ts';

const STRICT = { allowLoopback: false };
const LOOSE = { allowLoopback: true };
const isRefusal = (error: unknown) => error instanceof TargetRefused;

function accepts(url: string, rules: typeof STRICT): boolean {
  try {
    checkTargetUrl(url, rules);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return false;
  }
}

test('the table has more than 300 URLs, each of them once', () => {
  const all = Object.values(REFUSED).flat();
  assert.ok(all.length > 300, String(all.length));
  assert.equal(new Set(all).size, all.length);
});

for (const [what, urls] of Object.entries(REFUSED)) {
  for (const url of urls) {
    test(`refused, ${what}: ${JSON.stringify(url.slice(0, 80))}`, () => {
      assert.throws(() => checkTargetUrl(url, STRICT), isRefusal);
    });
  }
}

for (const [url, called] of Object.entries(ACCEPTED)) {
  test(`accepted: ${url.slice(0, 80)}`, () => {
    for (const rules of [STRICT, LOOSE]) {
      const { href } = checkTargetUrl(url, rules);
      assert.equal(href, called);
      assert.equal(checkTargetUrl(href, rules).href, called, 'and so is what was made of it');
    }
  });
}

const LOOPBACK = `http://localhost/ http://localhost:3000/hook https://localhost/ http://LOCALHOST:1/ http://127.0.0.1/
  http://127.0.0.1:22/ https://127.0.0.1:443/ http://127.9.9.9:8080/ http://[::1]/ http://[::1]:80/ https://[::1]:8443/
  http://2130706433/ http://127.1/`.split(/\s+/);

test('loopback may be called over http and on any port where the installation allows it, and only there', () => {
  for (const url of LOOPBACK) {
    assert.ok(accepts(url, LOOSE), url);
    assert.ok(!accepts(url, STRICT), url);
  }
});

function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(URL.parse(url)?.hostname ?? '');
}

test('with loopback allowed, everything else is refused as before', () => {
  const others = Object.values(REFUSED)
    .flat()
    .filter((url) => !isLoopback(url));
  assert.ok(others.length > 250, String(others.length));
  const more = ['http://localhost./', 'http://app.localhost/', 'http://user@localhost/', 'http://[::ffff:127.0.0.1]/'];
  for (const url of [...others, ...more]) assert.ok(!accepts(url, LOOSE), url);
});

test('the names of the installation itself are refused', () => {
  const rules = { ...STRICT, ownNames: ['mail.clinic.example'] };
  assert.throws(() => checkTargetUrl('https://Mail.Clinic.example/hook', rules), isRefusal);
  assert.equal(checkTargetUrl('https://clinic.example/hook', rules).hostname, 'clinic.example');
});

test('a refusal says why, and repeats nothing of the URL', () => {
  for (const url of [
    ...Object.values(REFUSED).flat(),
    'https://u:sEcReT@example.com/tOkEn',
    'https://10.9.8.7/tOkEn',
  ]) {
    assert.throws(
      () => checkTargetUrl(url, STRICT),
      (error: Error) =>
        /^the [a-z0-9 ,:/]+$/i.test(error.message) && !/example|\d\.\d|sEcReT|tOkEn/.test(error.message),
    );
  }
});

const RADIX: ((part: number) => string)[] = [
  (part) => String(part),
  (part) => `0x${part.toString(16)}`,
  (part) => `0X${part.toString(16).toUpperCase()}`,
  (part) => `0${part.toString(8)}`,
  (part) => `000${part.toString(8)}`,
  (part) => String(part).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (part) => String(part).replace(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
];

/** Draws an IPv4 address in one to four parts, each in a radix and a script of its own. */
function spelled(v4: number): fc.Arbitrary<string> {
  const radixes = fc.array(fc.constantFrom(...RADIX), { minLength: 4, maxLength: 4 });
  const draws = fc.tuple(fc.integer({ min: 1, max: 4 }), radixes, fc.constantFrom('.', '。', '．'), fc.boolean());
  return draws.map(([count, spell, dot, dotted]) => {
    const first = octets(v4).slice(0, count - 1);
    const last = v4 % 2 ** (8 * (5 - count));
    return [...first, last].map((part, at) => spell[at]?.(part)).join(dot) + (dotted ? dot : '');
  });
}

test('a denied IPv4 address is refused however it is spelled', () => {
  const urls = deniedV4.chain(spelled).map((host) => `https://${host}/`);
  fc.assert(
    fc.property(urls, (url) => {
      assert.notEqual(URL.parse(url), null, 'it is a URL, so the address is what is refused');
      assert.ok(!accepts(url, STRICT));
    }),
    { numRuns: 10_000 },
  );
});

test('a denied IPv6 address is refused, and so is a denied IPv4 address within one', () => {
  const wrapped = fc.tuple(deniedV4, fc.constantFrom(...Object.values(WRAPPINGS))).map(([v4, wrap]) => wrap(v4));
  fc.assert(
    fc.property(fc.oneof(deniedV6, wrapped), fc.boolean(), (address, upper) => {
      const url = `https://[${upper ? address.toUpperCase() : address}]/`;
      assert.notEqual(URL.parse(url), null);
      assert.ok(!accepts(url, STRICT));
    }),
    { numRuns: 10_000 },
  );
});

test('whatever is accepted is https to a public address or a full name, and is accepted again', () => {
  const anyHost = fc.oneof(fc.domain(), fc.ipV4Extended(), fc.webAuthority({ withUserInfo: true, withPort: true }));
  const anyUrl = fc.oneof(
    fc.tuple(anyHost, fc.string()).map(([host, rest]) => `https://${host}/${rest}`),
    fc.string().map((text) => `https://${text}`),
    fc.webUrl(),
  );
  fc.assert(
    fc.property(anyUrl, (text) => {
      if (!accepts(text, STRICT)) return;
      const url = checkTargetUrl(text, STRICT);
      assert.deepEqual([url.protocol, url.username, url.password, url.hash], ['https:', '', '', '']);
      assert.ok(isPublicAddress(hostOf(url)) || /^[a-z0-9_.-]+\.[a-z0-9_-]*[a-z_-][a-z0-9_-]*$/.test(url.hostname));
      assert.equal(checkTargetUrl(url.href, STRICT).href, url.href);
    }),
    { numRuns: 5_000 },
  );
});
