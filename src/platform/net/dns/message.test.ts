import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, AUTHENTIC_DATA, decode, encode, type Packet, TRUNCATED_RESPONSE } from 'dns-packet';
import * as fc from 'fast-check';
import { DnsFailed } from './dns-failed.ts';
import { readMessage, writeQuestion } from './message.ts';

const QUESTION = { name: 'clinic.example', type: 'MX' } as const;
const NXDOMAIN = 3;

const malformed = (error: unknown) => error instanceof DnsFailed && error.reason === 'malformed';

function answerWith(answers: Answer[], more: Partial<Packet> = {}): Buffer {
  return encode({ type: 'response', id: 7, questions: [{ ...QUESTION, class: 'IN' }], answers, ...more });
}

const MX: Answer = {
  name: 'Clinic.EXAMPLE',
  type: 'MX',
  ttl: 60,
  data: { preference: 5, exchange: 'MX1.clinic.example' },
};
const SOA: Answer = {
  name: 'example',
  type: 'SOA',
  ttl: 900,
  data: { mname: 'ns.example', rname: 'x.example', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 30 },
};

test('a question asks for recursion and for signatures, in datagrams of 1232 bytes', () => {
  const asked = decode(writeQuestion(513, QUESTION));
  assert.deepEqual([asked.id, asked.type, asked.flag_rd, asked.flag_ad], [513, 'query', true, true]);
  assert.deepEqual(asked.questions, [{ ...QUESTION, class: 'IN' }]);
  const [opt] = asked.additionals ?? [];
  assert.ok(opt?.type === 'OPT' && opt.flag_do && opt.udpPayloadSize === 1232);
});

test('an answer is read with its names in lower case', () => {
  const read = readMessage(answerWith([MX], { flags: AUTHENTIC_DATA }), 7, QUESTION);
  assert.deepEqual(read, {
    outcome: 'found',
    isTruncated: false,
    isMarkedAuthentic: true,
    records: [{ name: 'clinic.example', type: 'MX', ttl: 60, data: { preference: 5, exchange: 'mx1.clinic.example' } }],
    negativeTtl: 0,
  });
});

test('what is of no interest in an answer is passed over', () => {
  const chaos: Answer = { name: 'clinic.example', type: 'TXT', class: 'CH', ttl: 1, data: 'x' };
  const ns: Answer = { name: 'clinic.example', type: 'NS', ttl: 1, data: 'ns.example' };
  assert.equal(readMessage(answerWith([chaos, ns, MX]), 7, QUESTION)?.records.length, 1);
});

test('the strings of one TXT record are joined', () => {
  const question = { name: 'a.example', type: 'TXT' } as const;
  const answers: Answer[] = [{ name: 'a.example', type: 'TXT', ttl: 1, data: ['v=STS', 'v1; id=', '1'] }];
  const bytes = encode({ type: 'response', id: 7, questions: [question], answers });
  assert.deepEqual(readMessage(bytes, 7, question)?.records[0]?.data, 'v=STSv1; id=1');
});

test('absence holds for the shorter of both times of the zone', () => {
  const read = readMessage(answerWith([], { flags: NXDOMAIN, authorities: [SOA] }), 7, QUESTION);
  assert.deepEqual([read?.outcome, read?.negativeTtl], ['no such name', 30]);
});

test('every code but success and absence is a failure, an extended one too', () => {
  for (let code = 1; code < 16; code += 1) {
    const outcome = readMessage(answerWith([], { flags: code }), 7, QUESTION)?.outcome;
    assert.equal(outcome, code === NXDOMAIN ? 'no such name' : 'failed', String(code));
  }
  const opt = { type: 'OPT', name: '.', udpPayloadSize: 1232, extendedRcode: 1, ednsVersion: 0, flags: 0, options: [] };
  const bytes = answerWith([MX], { additionals: [{ ...opt, flag_do: false } as Answer] });
  assert.equal(readMessage(bytes, 7, QUESTION)?.outcome, 'failed');
});

test('an answer to another question, by another id or by nobody is not ours', () => {
  assert.equal(readMessage(answerWith([MX]), 8, QUESTION), null);
  assert.equal(readMessage(answerWith([MX]), 7, { ...QUESTION, name: 'other.example' }), null);
  assert.equal(readMessage(answerWith([MX]), 7, { ...QUESTION, type: 'A' }), null);
  assert.equal(readMessage(answerWith([MX], { type: 'query' }), 7, QUESTION), null);
  assert.equal(readMessage(answerWith([MX], { questions: [] }), 7, QUESTION), null);
  assert.equal(readMessage(answerWith([MX], { questions: [QUESTION, QUESTION] }), 7, QUESTION), null);
  assert.equal(readMessage(Buffer.from([0]), 7, QUESTION), null);
  assert.ok(readMessage(answerWith([], { flags: TRUNCATED_RESPONSE }), 7, QUESTION)?.isTruncated);
});

test('a record that lies about its length makes the answer malformed', () => {
  const whole = answerWith([{ name: 'clinic.example', type: 'TXT', ttl: 1, data: 'abc' }]);
  const lying = Buffer.from(whole);
  lying[lying.length - 4] = 200; // the length of the string
  assert.throws(() => readMessage(lying, 7, QUESTION), malformed);
  assert.throws(() => readMessage(whole.subarray(0, -1), 7, QUESTION), malformed);
  assert.throws(() => readMessage(Buffer.concat([whole, Buffer.from([0])]), 7, QUESTION), malformed);
});

test('a name that points at itself, or in a ring, does not hold the reader', () => {
  const head = Buffer.from([0, 7, 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0]);
  for (const name of [
    [0xc0, 12],
    [0xc0, 14, 0xc0, 12],
    [1, 97, 0xc0, 12],
  ]) {
    assert.throws(
      () => readMessage(Buffer.concat([head, Buffer.from([...name, 0, 15, 0, 1])]), 7, QUESTION),
      DnsFailed,
    );
  }
});

test('hundreds of records are read, and no more of them than take milliseconds, however their names are written', () => {
  const answers = Array.from({ length: 499 }, () => MX);
  assert.equal(readMessage(answerWith(answers), 7, QUESTION)?.records.length, 499);
  assert.throws(() => readMessage(answerWith([...answers, MX], { authorities: [SOA] }), 7, QUESTION), malformed);
  const bytes = pointersOnly();
  const before = process.cpuUsage();
  assert.throws(() => readMessage(bytes, 7, QUESTION), malformed);
  assert.ok(process.cpuUsage(before).user < 200_000);
});

/** 64 KB of records that are named by the last of 8,000 pointers, each to the one before. */
function pointersOnly(): Buffer {
  const head = answerWith([{ name: 'a', type: 'UNKNOWN_999', ttl: 1, data: Buffer.alloc(0) } as unknown as Answer]);
  const bytes = Buffer.alloc(0xffff);
  head.copy(bytes);
  const chain = head.length;
  let at = chain + 1;
  for (let to = chain; at < 0x3ffe; at += 2) to = bytes.writeUInt16BE(0xc000 | to, at) - 2;
  bytes.writeUInt16BE(at - chain, chain - 2);
  let count = 1;
  for (; at + 12 <= bytes.length; at += 12, count += 1) bytes.set([0xff, 0xfc, 0xff, 0, 0, 1], at);
  bytes.writeUInt16BE(count, 6);
  return bytes.subarray(0, at);
}

/** Reads or throws DnsFailed; anything else is a fault of ours. */
function readSafely(bytes: Buffer): void {
  try {
    readMessage(bytes, 7, QUESTION);
  } catch (error) {
    assert.ok(error instanceof DnsFailed && error.reason === 'malformed', String(error));
  }
}

test('random bytes are read or are malformed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => readSafely(Buffer.from([0, 7, 0x81, 0x80, ...bytes]))),
    { numRuns: 5_000 },
  );
});

const name = fc.constantFrom('clinic.example', 'mx.example', '.', 'a'.repeat(63), '*.example');
const answer: fc.Arbitrary<Answer> = fc.oneof(
  fc.record({ name, type: fc.constant('A' as const), ttl: fc.nat(), data: fc.ipV4() }),
  fc.record({ name, type: fc.constant('AAAA' as const), ttl: fc.nat(), data: fc.constant('2606:4700::1') }),
  fc.record({ name, type: fc.constant('CNAME' as const), ttl: fc.nat(), data: name }),
  fc.record({
    name,
    type: fc.constant('MX' as const),
    ttl: fc.nat(),
    data: fc.record({ preference: fc.nat(9), exchange: name }),
  }),
  fc.record({
    name,
    type: fc.constant('TXT' as const),
    ttl: fc.nat(),
    data: fc.array(fc.string({ maxLength: 60 }), { minLength: 1 }),
  }),
  fc.record({
    name,
    type: fc.constant('TLSA' as const),
    ttl: fc.nat(),
    data: fc.record({
      usage: fc.nat(4),
      selector: fc.nat(2),
      matchingType: fc.nat(3),
      certificate: fc.uint8Array({ maxLength: 70 }).map((bytes) => Buffer.from(bytes)),
    }),
  }),
);
const mutation = fc.record({ at: fc.nat(), to: fc.nat(255), cut: fc.boolean() });

test('mutated answers are read or are malformed', () => {
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 8 }), fc.array(mutation, { maxLength: 6 }), (answers, mutations) => {
      let bytes = answerWith(answers);
      for (const { at, to, cut } of mutations) {
        const place = 2 + (at % (bytes.length - 2));
        if (cut && place > 2) bytes = bytes.subarray(0, place);
        else bytes[place] = to;
      }
      readSafely(bytes);
    }),
    { numRuns: 5_000 },
  );
});
