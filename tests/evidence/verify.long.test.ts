import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { signHead } from '../../src/accounts/audit/signed-head.ts';
import { endOf } from '../../src/accounts/audit/stretch.ts';
import { encodePublicKey, fingerprintOf } from '../../src/accounts/index.ts';
import { type BundleContents, type EvidenceBundle, signBundle } from '../../src/email/evidence/bundle.ts';
import { tellEvidence } from '../../src/email/evidence/in-words.ts';
import { EvidenceBroken, verifyEvidence } from '../../src/email/evidence/verify.ts';
import { contents, signingKey } from './made-bundle.ts';

const signed = contents.map((each) => signBundle(signingKey, each));
const fingerprint = fingerprintOf(signingKey.publicKey);

type Path = (string | number)[];

/** The way to every value in a bundle that is neither object nor array, and to every array with something in it. */
function pathsIn(value: unknown, path: Path = []): { values: Path[]; arrays: Path[] } {
  if (typeof value !== 'object' || value === null) return { values: [path], arrays: [] };
  const inside = Object.entries(value).map(([name, part]) =>
    pathsIn(part, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  return {
    values: inside.flatMap(({ values }) => values),
    arrays: [...(Array.isArray(value) && value.length > 0 ? [path] : []), ...inside.flatMap(({ arrays }) => arrays)],
  };
}

function at(bundle: unknown, path: Path): unknown {
  return path.reduce((value, name) => (value as Record<string | number, unknown>)[name], bundle);
}

function set(bundle: unknown, path: Path, value: unknown): void {
  (at(bundle, path.slice(0, -1)) as Record<string | number, unknown>)[path.at(-1) as string] = value;
}

/** Another value, near the one that is there. */
function other(value: unknown, pick: number): unknown {
  if (typeof value === 'number') return value + (pick % 2 === 0 ? 1 : -1);
  if (typeof value === 'boolean') return !value;
  if (value === null) return pick % 2 === 0 ? '' : 'x';
  const text = value as string;
  if (text === '') return pick % 2 === 0 ? 'x' : null;
  const place = pick % text.length;
  const changed = text[place] === '0' ? '1' : '0';
  return pick % 3 === 0 ? text.slice(0, -1) : text.slice(0, place) + changed + text.slice(place + 1);
}

function refused(bundle: unknown): void {
  assert.throws(() => verifyEvidence(bundle, null), EvidenceBroken);
}

function faultOf(bundle: unknown): string | null {
  try {
    verifyEvidence(bundle, null);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

test('what was exported holds, also read back from a file, and says what it proves in lines without control characters', () => {
  fc.assert(
    fc.property(signed, (bundle) => {
      const verified = verifyEvidence(JSON.parse(JSON.stringify(bundle)), ['00', fingerprint]);
      assert.deepEqual(
        verified.attempts.map(({ evidence }) => evidence),
        bundle.contents.attempts.map(({ evidence }) => evidence),
      );
      const lines = tellEvidence(verified);
      assert.equal(lines.filter((line) => line.startsWith('Attempt ')).length, bundle.contents.attempts.length);
      assert.doesNotMatch(lines.join(''), /\p{Cc}/u);
    }),
  );
});

test('a byte that differs is noticed wherever it stands', () => {
  fc.assert(
    fc.property(signed, fc.nat(), fc.integer({ min: 0x20, max: 0x7e }), (bundle, place, byte) => {
      const bytes = Buffer.from(JSON.stringify(bundle));
      const index = place % bytes.length;
      fc.pre(bytes[index] !== byte);
      bytes[index] = byte;
      let read: unknown;
      try {
        read = JSON.parse(bytes.toString());
      } catch {
        return;
      }
      refused(read);
    }),
    { numRuns: 500 },
  );
});

/** What the export itself says, and no row of that time can. */
const SAID_AT_EXPORT = new Set(['exportedAt', 'without']);

test('a value that differs is noticed even where the whole was signed anew with the same key', () => {
  fc.assert(
    fc.property(contents, fc.nat(), fc.nat(), (whole, which, pick) => {
      const changed = structuredClone(whole);
      const values = pathsIn(changed).values.filter(([name]) => !SAID_AT_EXPORT.has(name as string));
      const path = values[which % values.length] as Path;
      set(changed, path, other(at(changed, path), pick));
      refused(signBundle(signingKey, changed));
    }),
    { numRuns: 1_000 },
  );
});

test('leaving out, repeating or moving a leaf or a row is noticed even where the whole was signed anew', () => {
  fc.assert(
    fc.property(contents, fc.nat(), fc.nat(), fc.constantFrom('drop', 'repeat', 'swap'), (whole, which, place, how) => {
      const changed = structuredClone(whole);
      const inner = pathsIn(changed).arrays.filter((path) => ['leaves', 'rows'].includes(path.at(-1) as string));
      const array = at(changed, inner[which % inner.length] as Path) as unknown[];
      const index = place % array.length;
      if (how === 'drop') array.splice(index, 1);
      else if (how === 'repeat') array.splice(index, 0, array[index]);
      else {
        fc.pre(array.length > 1);
        const next = (index + 1) % array.length;
        [array[index], array[next]] = [array[next], array[index]];
        fc.pre(JSON.stringify(changed) !== JSON.stringify(whole));
      }
      refused(signBundle(signingKey, changed));
    }),
    { numRuns: 500 },
  );
});

test('a part that is missing, an attempt that stands there twice, and anything more than there may be are noticed', () => {
  const [whole] = fc.sample(contents, { numRuns: 1, seed: 7 }) as [BundleContents];
  const anew = (change: Partial<BundleContents>) => signBundle(signingKey, { ...whole, ...change });
  assert.match(String(faultOf(anew({ batches: [] }))), /^attempt 1 at recipient 1: its batch is missing$/);
  assert.match(String(faultOf(anew({ stretches: [] }))), /^batch \S+: its audit row is missing$/);
  assert.equal(
    faultOf(anew({ attempts: [...whole.attempts, ...whole.attempts] })),
    'an attempt stands in the file twice',
  );
  const [first, ...rest] = structuredClone(whole.stretches) as [BundleContents['stretches'][number]];
  (first.rows[0] as { action: string }).action = 'email.something';
  first.head = signHead(signingKey, { ...first.head, hash: endOf(first) });
  assert.match(
    String(faultOf(anew({ stretches: [first, ...rest] }))),
    /^batch \S+: its audit row is about something else$/,
  );
  const more = { ...anew({}), note: 'delivered' };
  assert.match(String(faultOf(more)), /^the file is no bundle of evidence/);
  for (const nothing of [null, 1, '', [], {}, { contents: null, signature: '' }]) refused(nothing);
});

test('a bundle that somebody else has made is told by its key', () => {
  const stranger = generateKeyPairSync('ed25519');
  const [whole] = fc.sample(contents, { numRuns: 1, seed: 8 }) as [BundleContents];
  const forged: EvidenceBundle = signBundle(stranger, {
    ...whole,
    publicKey: encodePublicKey(stranger.publicKey),
    attempts: [],
    batches: [],
    stretches: [],
  });
  assert.equal(verifyEvidence(forged, null).fingerprint, fingerprintOf(stranger.publicKey));
  const withKey = () => verifyEvidence(forged, [fingerprint]);
  assert.throws(withKey, { message: 'the file was signed with another key than the one given' });
  refused(signBundle(stranger, whole));
});
