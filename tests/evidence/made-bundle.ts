import { generateKeyPairSync } from 'node:crypto';
import * as fc from 'fast-check';
import type { ChainedRow } from '../../src/accounts/audit/chain.ts';
import { signHead } from '../../src/accounts/audit/signed-head.ts';
import { endOf } from '../../src/accounts/audit/stretch.ts';
import { encodePublicKey } from '../../src/accounts/index.ts';
import { type AttemptEvidence, leafOf, rootOf } from '../../src/email/evidence/attempt-evidence.ts';
import type { BundleContents } from '../../src/email/evidence/bundle.ts';

export const signingKey = generateKeyPairSync('ed25519');

const text = fc.string({ unit: 'binary', maxLength: 12 });
const orNull = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });
const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((b) => Buffer.from(b).toString('hex'));
const moment = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((d) => d.toISOString());

const met = fc.record(
  {
    version: text,
    cipher: text,
    certificateSha256: orNull(hex(32)),
    verified: fc.boolean(),
    policy: text,
    basis: orNull(text),
    reason: orNull(text),
  },
  { noNullPrototype: true },
);

/** What can be said of an attempt, beside which one it is. */
const told = fc.record({
  startedAt: moment,
  finishedAt: moment,
  outcome: fc.constantFrom('delivered', 'refused', 'deferred', 'uncertain'),
  notice: fc.boolean(),
  recipient: orNull(text),
  mx: orNull(text),
  address: orNull(text),
  tls: orNull(met),
  code: orNull(fc.integer({ min: 200, max: 599 })),
  reply: orNull(text),
});

const act = fc.record({ actor_id: text, action: text, target: orNull(text), request_id: orNull(text) });

const plan = fc.record({
  customerId: fc.integer({ min: 1, max: 99_999 }),
  messageId: fc.uuid(),
  exportedAt: moment,
  previous: hex(32),
  firstSeq: fc.integer({ min: 1, max: 1_000_000 }),
  /** One for each batch of the message, with leaves of others around it and acts behind it. */
  batches: fc.uniqueArray(
    fc.record({
      id: fc.uuid(),
      mine: fc.array(fc.tuple(told, hex(16)), { minLength: 1, maxLength: 3 }),
      others: fc.array(hex(32), { maxLength: 3 }),
      acts: fc.array(act, { maxLength: 3 }),
      at: moment,
    }),
    { minLength: 1, maxLength: 3, selector: ({ id }) => id },
  ),
});

/** Contents of bundles that hold, as an export would put them together. */
export const contents: fc.Arbitrary<BundleContents> = plan.map(
  ({ customerId, messageId, exportedAt, previous, firstSeq, batches: planned }) => {
    const made: BundleContents = {
      format: 'carepost evidence 1',
      customerId,
      messageId,
      exportedAt,
      publicKey: encodePublicKey(signingKey.publicKey),
      attempts: [],
      without: 0,
      batches: [],
      stretches: [],
    };
    let attempt = 0;
    let seq = firstSeq;
    for (const { id, mine, others, acts, at } of planned) {
      const leaves: Buffer[] = others.map((leaf) => Buffer.from(leaf, 'hex'));
      for (const [rest, salt] of mine) {
        attempt += 1;
        const evidence: AttemptEvidence = { customerId, messageId, ordinal: 0, attempt, ...rest };
        made.attempts.push({ evidence, salt, batch: id, position: leaves.length });
        leaves.push(leafOf(Buffer.from(salt, 'hex'), evidence));
      }
      made.batches.push({ id, leaves: leaves.map((leaf) => leaf.toString('hex')) });
      const row = { customer_id: customerId, at, actor_kind: 'worker', details: null };
      const rows: ChainedRow[] = [
        {
          ...row,
          id,
          actor_id: 'delivery',
          action: 'email.attempts',
          target: null,
          request_id: null,
          details: { attempts: leaves.length, root: rootOf(leaves) },
        },
        ...acts.map((each, index) => ({ ...row, ...each, id: `${id} ${index}` })),
      ];
      const head = {
        customer: customerId,
        seq: seq + rows.length - 1,
        hash: endOf({ previous, rows }),
        checkpoint: seq,
        at,
      };
      made.stretches.push({ seq, previous, rows, head: signHead(signingKey, head) });
      seq += rows.length + 1;
    }
    return made;
  },
);
