import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { matchDane } from '../../src/email/delivery/tls/dane.ts';
import type { Tlsa } from '../../src/email/delivery/tls/tlsa.ts';
import { createAuthority, createLonelyCertificate } from '../support/authority.ts';

const HOST = 'mx.clinic.example';
const DOMAIN = 'clinic.example';
const NAMES = [HOST, DOMAIN];
const NOW = new Date();
const DAY = 24 * 3600 * 1000;
const [long, yesterday, tomorrow] = [-9, -1, 1].map((days) => new Date(NOW.getTime() + days * DAY)) as [
  Date,
  Date,
  Date,
];

const root = await createAuthority();
const sub = await root.subordinate();
const good = await sub.issue({ names: [HOST] });

/** The record that a zone would have for a certificate. */
function recordFor(der: Buffer, usage: 2 | 3, selector: 0 | 1, matching: 0 | 1 | 2): Tlsa {
  const selected = selector === 0 ? der : new X509Certificate(der).publicKey.export({ type: 'spki', format: 'der' });
  const data =
    matching === 0
      ? selected
      : createHash(matching === 1 ? 'sha256' : 'sha512')
          .update(selected)
          .digest();
  return { usage, selector, matching, data };
}

function matches(records: Tlsa[], chain: Buffer[], names = NAMES, now = NOW): boolean {
  return matchDane(records, chain, names, now).matched;
}

const selector = fc.constantFrom(0 as const, 1 as const);
const matching = fc.constantFrom(0 as const, 1 as const, 2 as const);

test("the server's own certificate or key is known again in every form, whatever its name and dates", async () => {
  const old = await root.issue({ names: ['other.example'], notBefore: long, notAfter: yesterday });
  const lonely = await createLonelyCertificate({ names: ['other.example'] });
  fc.assert(
    fc.property(selector, matching, fc.constantFrom(old, lonely, good), (which, how, { chain }) => {
      assert.ok(matches([recordFor(chain[0] as Buffer, 3, which, how)], chain.slice(0, 1)));
    }),
  );
});

test('the published form says on what the match stands', () => {
  const record = recordFor(good.chain[0] as Buffer, 3, 1, 1);
  const basis = `3 1 1 ${record.data.toString('hex')}`;
  assert.deepEqual(matchDane([record], good.chain, NAMES, NOW), { matched: true, basis });
  const whole = matchDane([recordFor(good.chain[0] as Buffer, 3, 0, 0)], good.chain, NAMES, NOW);
  assert.match(whole.matched ? whole.basis : '', /^3 0 0 sha256:[0-9a-f]{64}$/);
});

test('any other certificate, and one changed bit of a record, do not match', async () => {
  const stranger = await (await createAuthority()).issue({ names: [HOST] });
  fc.assert(
    fc.property(fc.constantFrom(2 as const, 3 as const), selector, matching, fc.nat(), (usage, which, how, bit) => {
      const der = (usage === 3 ? good.chain[0] : good.chain[1]) as Buffer;
      const record = recordFor(der, usage, which, how);
      assert.ok(matches([record], good.chain));
      assert.ok(!matches([record], stranger.chain));
      const data = Buffer.from(record.data);
      const at = bit % data.length;
      data[at] = (data[at] as number) ^ (1 << (bit % 8));
      assert.ok(!matches([{ ...record, data }], good.chain));
    }),
  );
});

test('an authority in the chain is an anchor in every form, at every height', () => {
  for (const anchor of good.chain.slice(1)) {
    for (const which of [0, 1] as const) {
      for (const how of [0, 1, 2] as const) {
        assert.ok(matches([recordFor(anchor, 2, which, how)], good.chain));
      }
    }
  }
});

test('below an authority the name must be that of the server or of the domain', async () => {
  const record = recordFor(root.caDer, 2, 0, 1);
  const byName = async (...names: string[]) => matchDane([record], (await root.issue({ names })).chain, NAMES, NOW);
  for (const names of [[HOST], [DOMAIN], ['x.example', 'MX.Clinic.Example'], ['*.clinic.example']]) {
    assert.ok((await byName(...names)).matched, names.join());
  }
  for (const name of ['other.example', 'a.mx.clinic.example', '*.example', 'm*.clinic.example', 'xmx.clinic.example']) {
    assert.deepEqual(
      await byName(name),
      { matched: false, reason: 'the certificate is made out to another name' },
      name,
    );
  }
});

test('below an authority every certificate must be of today', async () => {
  const record = recordFor(root.caDer, 2, 1, 1);
  const late = { notBefore: long, notAfter: yesterday };
  const early = { notBefore: tomorrow };
  for (const dates of [late, early]) {
    const expired = await root.issue({ names: [HOST], ...dates });
    assert.ok(!matches([record], expired.chain));
    const below = await (await root.subordinate(dates)).issue({ names: [HOST] });
    assert.ok(!matches([record], below.chain));
  }
  assert.ok(!matches([record], good.chain, NAMES, new Date(NOW.getTime() + 20 * 365 * DAY)));
});

test('a leaf that was signed by one who must not sign, by another or by nobody does not lead to the anchor', async () => {
  const record = recordFor(root.caDer, 2, 0, 1);
  const [leaf, middle, top] = good.chain as [Buffer, Buffer, Buffer];
  const noCa = await (await root.subordinate({ isCa: false })).issue({ names: [HOST] });
  const otherUse = await (await root.subordinate({ maySign: false })).issue({ names: [HOST] });
  const stranger = await (await createAuthority()).issue({ names: [HOST] });
  const lonely = await createLonelyCertificate({ names: [HOST] });
  const wrong = [
    noCa.chain,
    otherUse.chain,
    [stranger.chain[0] as Buffer, top],
    [...lonely.chain, top],
    [leaf, top],
    [leaf, top, middle],
  ];
  for (const chain of wrong) {
    const reason = 'the certificate does not lead to the authority that the domain has published in DNS (DANE)';
    assert.deepEqual(matchDane([record], chain, NAMES, NOW), { matched: false, reason });
  }
  assert.ok(matches([record], [leaf, middle, top]));
});

test('a certificate that an impostor has signed in the name of the authority is not taken for an issued one', async () => {
  const [real, impostor] = await Promise.all([createAuthority('CN=Twin'), createAuthority('CN=Twin')]);
  const [mine] = (await real.issue({ names: [HOST] })).chain as [Buffer];
  const [forged] = (await impostor.issue({ names: [HOST] })).chain as [Buffer];
  const record = recordFor(real.caDer, 2, 0, 1);
  assert.deepEqual([matches([record], [mine, real.caDer]), matches([record], [forged, real.caDer])], [true, false]);
});

test("a record for an authority does not fit the server's own certificate, nor the other way round", () => {
  const [leaf, middle] = good.chain as [Buffer, Buffer];
  assert.ok(!matches([recordFor(leaf, 2, 0, 1)], good.chain));
  assert.ok(!matches([recordFor(middle, 3, 0, 1)], good.chain));
});

test('one record that fits is enough, among others that do not', () => {
  const [leaf, middle] = good.chain as [Buffer, Buffer];
  const others = [recordFor(root.caDer, 3, 0, 1), recordFor(leaf, 2, 1, 2)];
  assert.ok(matches([...others, recordFor(middle, 2, 1, 1)], good.chain));
  assert.ok(!matches(others, good.chain));
  assert.ok(!matches([], good.chain));
});

test('a chain that is empty, garbage or cut short matches nothing and breaks nothing', () => {
  const record = recordFor(root.caDer, 2, 0, 1);
  assert.ok(!matches([record], []));
  const bytes = fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each));
  fc.assert(fc.property(fc.array(bytes, { maxLength: 4 }), (chain) => assert.ok(!matches([record], chain))));
  const flip = fc.tuple(fc.nat(), fc.nat(7));
  fc.assert(
    fc.property(fc.nat(2), fc.array(flip, { minLength: 1, maxLength: 3 }), (which, flips) => {
      const chain = good.chain.map((der) => Buffer.from(der));
      const der = chain[which] as Buffer;
      for (const [at, bit] of flips) der[at % der.length] = (der[at % der.length] as number) ^ (1 << bit);
      const isChanged = !der.equals(good.chain[which] as Buffer);
      assert.equal(matches([record], chain), !isChanged);
    }),
  );
});
