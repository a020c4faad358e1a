import type { KeyObject } from 'node:crypto';
import { Value } from 'typebox/value';
import { decodePublicKey, endOf, fingerprintOf, isSigned } from '../../accounts/index.ts';
import { leafOf, rootOf } from './attempt-evidence.ts';
import { type BundleContents, bundleIsSigned, EvidenceBundle } from './bundle.ts';
import { ATTEMPTS } from './record.ts';

/** An attempt whose evidence holds, with the signed head that it stands under. */
export interface Proved {
  evidence: BundleContents['attempts'][number]['evidence'];
  head: BundleContents['stretches'][number]['head'];
}

export interface Verified {
  contents: BundleContents;
  fingerprint: string;
  attempts: Proved[];
}

/** The first thing that is wrong with a bundle. */
export class EvidenceBroken extends Error {
  override name = 'EvidenceBroken';
}

/**
 * Checks a bundle by itself: each attempt hashes to its leaf, the leaves to what the audit row says, the rows to a head
 * of the chain, and the head and the whole are signed. Throws EvidenceBroken at the first thing that is not so. Where
 * `keys` are given, one must be the fingerprint of the key that signed.
 */
export function verifyEvidence(bundle: unknown, keys: readonly string[] | null): Verified {
  if (!Value.Check(EvidenceBundle, bundle))
    throw new EvidenceBroken(`the file is no bundle of evidence${where(bundle)}`);
  const { contents } = bundle;
  const publicKey = decodePublicKey(contents.publicKey);
  if (publicKey === null) throw new EvidenceBroken('the public key cannot be read');
  const fingerprint = fingerprintOf(publicKey);
  if (keys !== null && !keys.includes(fingerprint))
    throw new EvidenceBroken('the file was signed with another key than the one given');
  if (!bundleIsSigned(publicKey, bundle)) throw new EvidenceBroken('the signature of the file does not fit it');
  for (const stretch of contents.stretches) checkStretch(publicKey, contents, stretch);
  for (const batch of contents.batches) checkBatch(contents, batch);
  const attempts = contents.attempts.map((attempt) => checkAttempt(contents, attempt));
  const names = new Set(attempts.map(({ evidence: { ordinal, attempt } }) => `${ordinal}/${attempt}`));
  if (names.size < attempts.length) throw new EvidenceBroken('an attempt stands in the file twice');
  return { contents, fingerprint, attempts };
}

function where(bundle: unknown): string {
  const [first] = Value.Errors(EvidenceBundle, bundle);
  return first === undefined || first.instancePath === '' ? '' : `: ${first.instancePath} ${first.message}`;
}

function checkStretch(
  publicKey: KeyObject,
  contents: BundleContents,
  stretch: BundleContents['stretches'][number],
): void {
  const { head, rows, seq } = stretch;
  const wrong = (what: string) => new EvidenceBroken(`audit rows ${seq} to ${head.seq}: ${what}`);
  if (head.customer !== contents.customerId) throw wrong('the signed head is of another customer');
  if (rows.some((row) => row.customer_id !== contents.customerId)) throw wrong('a row is of another customer');
  if (head.seq !== seq + rows.length - 1) throw wrong('the signed head is of another row');
  if (endOf(stretch) !== head.hash) throw wrong('the rows do not hash to the signed head');
  if (!isSigned(publicKey, head)) throw wrong('the signature of the head does not fit it');
}

function checkBatch(contents: BundleContents, { id, leaves }: BundleContents['batches'][number]): void {
  const wrong = (what: string) => new EvidenceBroken(`batch ${id}: ${what}`);
  const row = contents.stretches.flatMap(({ rows }) => rows).find((each) => each.id === id);
  if (row === undefined) throw wrong('its audit row is missing');
  if (row.action !== ATTEMPTS) throw wrong('its audit row is about something else');
  if (row.details?.attempts !== leaves.length) throw wrong('it does not have as many hashes as its audit row says');
  if (row.details.root !== rootOf(leaves.map((leaf) => Buffer.from(leaf, 'hex')))) {
    throw wrong('its hashes do not add up to what the audit row says');
  }
}

function checkAttempt(contents: BundleContents, attempt: BundleContents['attempts'][number]): Proved {
  const { evidence, salt, batch: id, position } = attempt;
  const wrong = (what: string) =>
    new EvidenceBroken(`attempt ${evidence.attempt} at recipient ${evidence.ordinal + 1}: ${what}`);
  if (evidence.customerId !== contents.customerId) throw wrong('it is of another customer');
  if (evidence.messageId !== contents.messageId) throw wrong('it is of another message');
  const leaf = contents.batches.find((batch) => batch.id === id)?.leaves[position];
  if (leaf === undefined) throw wrong('its batch is missing');
  if (leafOf(Buffer.from(salt, 'hex'), evidence).toString('hex') !== leaf) {
    throw wrong('its evidence is not what was written down at the time');
  }
  const stretch = contents.stretches.find(({ rows }) => rows.some((row) => row.id === id));
  if (stretch === undefined) throw wrong('its audit row is missing');
  return { evidence, head: stretch.head };
}
