import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createSelfSigned } from '../../../platform/net/self-signed.ts';
import { type Facts, type Judgement, judge, mayUseHost } from './judge.ts';
import type { StsPolicy } from './mta-sts.ts';
import type { Tlsa } from './tlsa.ts';

const HOST = 'mx1.clinic.example';
const NOW = new Date('2026-11-15T12:00:00Z');
const { cert } = await createSelfSigned(HOST, NOW);
const der = Buffer.from(cert.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');

function tlsaWith(data: Buffer): Tlsa {
  return { usage: 3, selector: 0, matching: 1, data };
}

const FITTING = tlsaWith(createHash('sha256').update(der).digest());
const OTHER = tlsaWith(Buffer.alloc(32));
const TLSA = { none: null, unusable: [], fitting: [OTHER, FITTING], other: [OTHER] };

function policy(mode: StsPolicy['mode'], mx: string[]): StsPolicy {
  return { id: 'p1', mode, mx, maxAge: 86_400 };
}

const LISTED = ['other.example', '*.clinic.example'];
const UNLISTED = ['mx2.clinic.example'];
const STS = {
  absent: null,
  enforceListed: policy('enforce', LISTED),
  enforceUnlisted: policy('enforce', UNLISTED),
  testingListed: policy('testing', LISTED),
  testingUnlisted: policy('testing', UNLISTED),
  none: policy('none', []),
};

const BOTH = [true, false];

interface Case {
  tlsa: keyof typeof TLSA;
  sts: keyof typeof STS;
  routeAuthentic: boolean;
  remembered: boolean;
  chainTrusted: boolean;
  namesHost: boolean;
}

const CASES: Case[] = (Object.keys(TLSA) as Case['tlsa'][]).flatMap((tlsa) =>
  (Object.keys(STS) as Case['sts'][]).flatMap((sts) =>
    BOTH.flatMap((routeAuthentic) =>
      BOTH.flatMap((remembered) =>
        BOTH.flatMap((chainTrusted) =>
          BOTH.map((namesHost) => ({ tlsa, sts, routeAuthentic, remembered, chainTrusted, namesHost })),
        ),
      ),
    ),
  ),
);

function factsOf(
  { tlsa, sts, chainTrusted, namesHost, ...rest }: Case,
  chainError = 'DEPTH_ZERO_SELF_SIGNED_CERT',
): Facts {
  const certificate = { chain: [der], chainTrusted, chainError: chainTrusted ? null : chainError, namesHost };
  return { domain: 'clinic.example', host: HOST, tlsa: TLSA[tlsa], sts: STS[sts], certificate, now: NOW, ...rest };
}

type Row = [when: (each: Case) => boolean, verdict: string];

/** The decision table as it is written down: of the rows that fit, the first one counts. */
const TABLE: Row[] = [
  [(c) => c.routeAuthentic && c.tlsa === 'fitting', 'content by dane'],
  [(c) => c.routeAuthentic && c.tlsa === 'other', 'nothing by dane'],
  [(c) => c.sts === 'enforceUnlisted', 'nothing by mta-sts'],
  [(c) => c.sts === 'enforceListed' && c.chainTrusted && c.namesHost, 'content by mta-sts'],
  [(c) => c.sts === 'enforceListed', 'nothing by mta-sts'],
  [(c) => c.chainTrusted && c.namesHost, 'content by pkix'],
  [(c) => c.remembered, 'nothing by none'],
  [() => true, 'notice by none'],
];

function inWords({ verified, policy: by, mayNotice, mayWaive }: Judgement): string {
  assert.equal(mayNotice, mayWaive);
  assert.ok(mayNotice || !verified);
  return `${verified ? 'content' : mayNotice ? 'notice' : 'nothing'} by ${by}`;
}

test('every combination of what can be known is judged as the table says', () => {
  assert.equal(CASES.length, 4 * 6 * 16);
  const seen = new Set<string>();
  for (const each of CASES) {
    const expected = TABLE.find(([when]) => when(each))?.[1] as string;
    const judgement = judge(factsOf(each));
    assert.equal(inWords(judgement), expected, JSON.stringify(each));
    assert.equal(judgement.reason === null, judgement.verified, JSON.stringify(each));
    assert.equal(judgement.basis !== null, /content by (dane|mta-sts)/.test(expected), JSON.stringify(each));
    seen.add(expected);
  }
  assert.equal(seen.size, new Set(TABLE.map(([, verdict]) => verdict)).size);
});

const PLAIN: Case = {
  tlsa: 'none',
  sts: 'absent',
  routeAuthentic: true,
  remembered: false,
  chainTrusted: false,
  namesHost: true,
};

test('the basis is the record or the policy that decided', () => {
  assert.equal(judge(factsOf({ ...PLAIN, tlsa: 'fitting' })).basis, `3 0 1 ${FITTING.data.toString('hex')}`);
  assert.equal(judge(factsOf({ ...PLAIN, sts: 'enforceListed', chainTrusted: true })).basis, 'p1');
});

test('the reason is one that a person understands, and never a code', () => {
  const reasonFor = (code: string) => judge(factsOf(PLAIN, code)).reason;
  assert.equal(reasonFor('DEPTH_ZERO_SELF_SIGNED_CERT'), 'the certificate is self-signed');
  assert.equal(reasonFor('CERT_HAS_EXPIRED'), 'the certificate has expired');
  assert.equal(reasonFor('SOMETHING_NEW'), 'the certificate cannot be verified');
  assert.equal(reasonFor('constructor'), 'the certificate cannot be verified');
  const wrongName = judge(factsOf({ ...PLAIN, chainTrusted: true, namesHost: false })).reason;
  assert.equal(wrongName, 'the certificate is made out to another name');
  const before = 'the certificate is self-signed, and the domain has had one that could be verified before';
  assert.equal(judge(factsOf({ ...PLAIN, remembered: true })).reason, before);
  const unlisted = 'the MTA-STS policy of the domain does not name this mail server';
  assert.equal(judge(factsOf({ ...PLAIN, sts: 'enforceUnlisted' })).reason, unlisted);
});

test('an enforced policy alone says which hosts may be tried', () => {
  const allowed = Object.entries(STS).filter(([, sts]) => mayUseHost(sts, HOST.toUpperCase()));
  assert.deepEqual(
    allowed.map(([name]) => name),
    Object.keys(STS).filter((name) => name !== 'enforceUnlisted'),
  );
});
