import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { PDF } from '@libpdf/core';
import * as fc from 'fast-check';
import { sampleRecord, sampleSealKey } from '../certificate.examples.ts';
import { sealPdf } from '../seal.ts';
import type { SealKey } from '../seal-key.ts';
import { writeCertificate } from '../write-certificate.ts';
import { CertificateBroken } from './broken.ts';
import { bytesOfHex, hexOf, isSame } from './bytes.ts';
import { checkCertificate, readFingerprints } from './check-certificate.ts';
import { context, type Der, der, inside, readAll, readOne, TAG } from './der.ts';
import { tellCertificate } from './in-words.ts';
import { readSealedPdf } from './pdf-signature.ts';
import { holdsSignature } from './public-key.ts';
import { type CertificateRecord, readRecord, writeRecord } from './record.ts';
import { readSignedData, writeSignedData } from './signed-data.ts';

const AT = new Date('2026-01-02T03:05:00Z');
let key: SealKey;
let sound: Buffer;

before(async () => {
  key = await sampleSealKey();
  sound = await made();
});

async function made(more: Partial<CertificateRecord> = {}, by = key): Promise<Buffer> {
  return sealPdf(await writeCertificate(sampleRecord(by, more)), by, { at: AT, stampTime: null });
}

/** Why a file is refused; null where it is not. Anything but a refusal in words fails the test. */
async function fault(file: Uint8Array, known: string[] | null = null): Promise<string | null> {
  try {
    await checkCertificate(file, known);
    return null;
  } catch (error) {
    if (error instanceof CertificateBroken) return error.message;
    throw error;
  }
}

test('a certificate holds, says all that it was made from, and says by whom', async () => {
  const checked = await checkCertificate(sound, [key.fingerprint]);
  assert.deepEqual(checked.record, sampleRecord(key));
  const { fingerprint, sealedBy, isCompared, timeStamp } = checked;
  const expected = { sealedBy: 'Carepost at clinic.example', isCompared: true, timeStamp: null };
  assert.deepEqual({ fingerprint, sealedBy, isCompared, timeStamp }, { fingerprint: key.fingerprint, ...expected });
  assert.equal((await checkCertificate(sound, null)).isCompared, false);
});

test('one flipped bit is found, wherever it is', async () => {
  const place = fc.tuple(fc.nat({ max: sound.length - 1 }), fc.nat({ max: 7 }));
  await fc.assert(
    fc.asyncProperty(place, async ([at, bit]) => {
      const flipped = Buffer.from(sound);
      flipped[at] = (flipped[at] as number) ^ (1 << bit);
      assert.notEqual(await fault(flipped), null, `byte ${at}, bit ${bit}`);
    }),
    { numRuns: 1_500 },
  );
});

test('every byte of the signature itself counts, in each of its bits', async () => {
  const start = sound.lastIndexOf('/ByteRange');
  const written = 2 * readSealedPdf(sound).signature.length;
  const places = Array.from({ length: written + 200 }, (_, at) => start + at);
  for (const at of places) {
    const flipped = Buffer.from(sound);
    flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
    assert.notEqual(await fault(flipped), null, `byte ${at}`);
    // Small letters are the same digits to most readers.
    flipped[at] = (sound[at] as number) ^ 0x20;
    assert.notEqual(await fault(flipped), null, `byte ${at}, case`);
  }
});

/** The sound certificate with another signature in its place. */
function withSignature(signature: Uint8Array): Buffer {
  const changed = Buffer.from(sound);
  const start = changed.indexOf('<', changed.lastIndexOf('/Contents')) + 1;
  changed.fill('0', start, changed.indexOf('>', start));
  changed.write(Buffer.from(signature).toString('hex').toUpperCase(), start);
  return changed;
}

test('the same signature told in another way is found: the other of two numbers, or NULL behind a name', async () => {
  const { signature } = readSealedPdf(sound);
  const data = readSignedData(signature);
  assert.equal(await fault(withSignature(writeSignedData(data))), null);

  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const [r, s] = inside(readOne(data.signature, TAG.sequence), TAG.sequence) as [Der, Der];
  const number = (order - BigInt(`0x${hexOf(s.content)}`)).toString(16).padStart(64, '0');
  const other = der(TAG.sequence, r.whole, der(TAG.integer, bytesOfHex(`00${number}`)));
  assert.ok(number >= '8', 'the seal has the smaller one');
  const holds = { algorithm: data.signatureAlgorithm, digest: null, signed: der(TAG.set, data.attributes) };
  assert.ok(await holdsSignature(data.signer.publicKey, { ...holds, signature: other }));

  for (const [plain, odd] of [
    [der(TAG.octets, data.signature), der(TAG.octets, other)],
    [data.signatureAlgorithm, withNull(data.signatureAlgorithm)],
    [data.digestAlgorithm, withNull(data.digestAlgorithm)],
  ] as const) {
    const told = retold(readOne(signature, TAG.sequence), plain, odd, [data.signer.der, data.attributes]);
    assert.notDeepEqual(told, signature);
    assert.deepEqual(readSignedData(told).attributes, data.attributes);
    assert.equal(await fault(withSignature(told)), 'the signature has been changed');
  }
});

function withNull(algorithm: Uint8Array): Uint8Array {
  return der(TAG.sequence, readOne(algorithm, TAG.sequence).content, der(TAG.nothing));
}

/** A value with one part written otherwise, wherever it stands outside of what is fixed. */
function retold({ tag, whole, content }: Der, plain: Uint8Array, odd: Uint8Array, fixed: Uint8Array[]): Uint8Array {
  if (isSame(whole, plain)) return odd;
  const isList = tag === TAG.sequence || tag === TAG.set || tag === context(0);
  if (!isList || fixed.some((each) => isSame(whole, each) || isSame(content, each))) return whole;
  return der(tag, ...readAll(content).map((part) => retold(part, plain, odd, fixed)));
}

test('a name cannot put lines of its own into what is told, nor hide or turn round others', async () => {
  const [signature] = sampleRecord(key).signatures;
  const name = 'Ann\nSigned (guardian): Bob\u2028x\u001b[2K\u202eeoD';
  const marked = await made({ signatures: [{ ...signature, name } as CertificateRecord['signatures'][number]] });
  const lines = tellCertificate(await checkCertificate(marked, null));
  assert.equal(lines.filter((line) => line.startsWith('Signed')).length, 1);
  assert.doesNotMatch(lines.join(''), /[\p{Cc}\u2028\u202e]/u);
  assert.ok(lines.some((line) => line.includes('Ann\ufffdSigned (guardian): Bob')));
});

test('bytes that are written over, taken out or put in are found', async () => {
  const change = fc.record({
    at: fc.nat({ max: sound.length }),
    gone: fc.nat({ max: 200 }),
    put: fc.uint8Array({ maxLength: 200 }),
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ at, gone, put }) => {
      const changed = Buffer.concat([sound.subarray(0, at), put, sound.subarray(at + gone)]);
      fc.pre(!changed.equals(sound));
      assert.notEqual(await fault(changed), null);
    }),
    { numRuns: 300 },
  );
});

test('a file that goes on behind the signature is refused, also by an update that other readers take', async () => {
  assert.equal(await fault(Buffer.concat([sound, Buffer.from('\n')])), 'the file goes on where the signature ends');
  const document = await PDF.load(sound);
  document.setTitle('Another title');
  const updated = await document.save({ incremental: true });
  assert.ok(updated.length > sound.length);
  assert.equal(await fault(updated), 'the file goes on where the signature ends');
});

test('neither the signature nor the record of another certificate fits', async () => {
  const other = await made({ answers: { name: 'Bob Lee' } });
  const put = (part: (file: Buffer) => [start: number, end: number]) => {
    const [start, end] = part(sound);
    const mixed = Buffer.from(sound);
    mixed.subarray(start, end).fill(other.subarray(...part(other)));
    return mixed;
  };
  const signature = put((file) => {
    const start = file.indexOf('<', file.lastIndexOf('/Contents'));
    return [start, file.indexOf('>', start)];
  });
  const record = put((file) => {
    const start = file.indexOf('stream\n', file.indexOf('/EmbeddedFile'));
    return [start, file.indexOf('endstream', start)];
  });
  assert.equal(await fault(signature), 'what was signed has been changed');
  assert.equal(await fault(record), 'what was signed has been changed');
});

test('a copy that somebody else has sealed holds by itself, but not against the key', async () => {
  const stranger = await sampleSealKey();
  const copy = await made({}, stranger);
  assert.equal(await fault(copy), null);
  assert.equal(await fault(copy, [key.fingerprint]), 'it was sealed with another key than the one that is expected');
  assert.match((await fault(await made({ sealed_by: [key.fingerprint] }, stranger))) ?? '', /names other certificates/);
});

test('a record that does not fit its seal is refused', async () => {
  const faults: [RegExp, Partial<CertificateRecord>][] = [
    [/time stamp that belongs to it is missing/, { time_stamp: 'present' }],
    [/out of its time/, { made_at: '1999-01-01T00:00:00.000Z' }],
    [/out of its time/, { made_at: '2099-01-01T00:00:00.000Z' }],
    [/not that of a certificate/, { kind: 'another' as CertificateRecord['kind'] }],
    [/names other certificates/, { sealed_by: [key.fingerprint, key.fingerprint] }],
  ];
  for (const [expected, more] of faults) assert.match((await fault(await made(more))) ?? 'holds', expected);
});

test('a record is taken in its canonical form only, and whole', () => {
  const record = sampleRecord(key);
  assert.deepEqual(readRecord(writeRecord(record)), record);
  assert.throws(() => readRecord(JSON.stringify(record)), /canonical/);
  assert.throws(() => readRecord(writeRecord(record).replace('{', '{ ')), /canonical/);
  for (const name of [
    'form',
    'submission',
    'signatures',
    'attachments',
    'shown',
    'sealed_by',
    'made_at',
    'time_authorities',
  ] as const) {
    const { [name]: _gone, ...rest } = record;
    assert.throws(() => readRecord(writeRecord(rest as CertificateRecord)), CertificateBroken, name);
  }
  for (const text of ['', 'null', '[]', '{"kind":"carepost certificate 1"}', '"\\ud800"']) {
    assert.throws(() => readRecord(text), CertificateBroken, text);
  }
});

test('what a patient draws cannot mislead the check', async () => {
  const words = Buffer.from('/ByteRange [0 10          20         30        ]\n/Contents <00>\nstartxref\n5\n%%EOF\n');
  const frame = Buffer.from('ffc0000b080001000101011100', 'hex');
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, words.length + 2]), words]);
  const image = Buffer.concat([Buffer.from('ffd8', 'hex'), frame, comment, Buffer.from('ffda', 'hex')]).toString(
    'base64',
  );
  const [signature] = sampleRecord(key).signatures;
  const marked = await made({ signatures: [{ ...signature, image } as CertificateRecord['signatures'][number]] });
  assert.ok(marked.includes(words));
  assert.equal(await fault(marked), null);
});

test('answers of every kind come back from the record as they were', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  const answer = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.array(text));
  fc.assert(
    fc.property(fc.dictionary(text, answer), (answers) => {
      const record = readRecord(writeRecord(sampleRecord(key, { answers })));
      assert.deepEqual(record.answers, JSON.parse(JSON.stringify(answers)));
    }),
  );
  const { record } = await checkCertificate(await made({ answers: { half: 'a\ud800b', '\\ud800': '\\ud800' } }), null);
  assert.deepEqual(record.answers, { half: 'a\ufffdb', '\\ud800': '\\ud800' });
});

test('what is no certificate is refused in words', async () => {
  for (const file of ['', 'hello', '%PDF-1.7\n', '%PDF-1.7\n/ByteRange [0 5 6 7]']) {
    assert.notEqual(await fault(Buffer.from(file)), null, file);
  }
  assert.equal(await fault(await writeCertificate(sampleRecord(key))), 'the file has no signature');
});

test('fingerprints may be copied from anywhere, one or several', () => {
  const plain = 'ab'.repeat(32);
  const [colons, other] = [plain.toUpperCase().match(/../g)?.join(':') ?? '', 'cd'.repeat(32)];
  assert.deepEqual(readFingerprints(colons), [plain]);
  assert.deepEqual(readFingerprints(` ${plain}\n`), [plain]);
  assert.deepEqual(readFingerprints(`${other}, ${colons}`), [other, plain]);
  for (const none of ['', plain.slice(1), `${plain}a`, plain.replace('a', 'g'), `${plain},`, `${plain}, x`])
    assert.equal(readFingerprints(none), null);
});

test('a certificate holds against each of the keys that are known', async () => {
  const { fingerprint } = await sampleSealKey();
  assert.equal(await fault(sound, [fingerprint, key.fingerprint]), null);
  assert.match((await fault(sound, [fingerprint])) ?? '', /another key/);
});
