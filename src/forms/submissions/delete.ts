import { sql } from 'kysely';
import { recordAct, requireNotHeld, type SigningKey } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { BlobStore } from '../../platform/blob/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { releaseExports } from '../exports/release.ts';
import { type DestructionReason, writeDestruction } from '../rights/destructions.ts';
import '../tables.ts';

interface Gone {
  id: string;
  sha256: string;
  created_at: Date;
  blobs: string[] | null;
  /** The file of its certificate. */
  certificate: string | null;
}

/**
 * Destroys submissions of a form, their keys first of all: what is left of them in older copies of the tables can
 * not be opened any more. Exports that they may stand in go with them. A signed certificate tells of it. Throws where a
 * legal hold keeps one of them. Returns the files that have to leave the store once this is committed.
 */
export async function destroySubmissions(
  tx: Tx,
  deps: { clock: Clock; act: Act; signingKey: SigningKey },
  { formId, ids, why }: { formId: string; ids: string[]; why: DestructionReason },
): Promise<string[]> {
  const { clock, act } = deps;
  const { customerId } = act;
  const submitters = await tx
    .selectFrom('submissions')
    .select('submitter_index')
    .where('customer_id', '=', customerId)
    .where('id', 'in', ids)
    .execute();
  const people = submitters.flatMap(({ submitter_index: index }) => (index === null ? [] : [index]));
  await requireNotHeld(tx, customerId, { objects: [formId, ...ids], people });
  // Whoever is making a certificate of one has kept it before this goes on, or finds nothing left.
  await sql`select from submission_keys where customer_id = ${customerId} and submission_id = any(${ids}::uuid[])
    order by submission_id for update`.execute(tx);
  const { rows } = await sql<Gone>`
    with gone_keys as (
      delete from submission_keys where customer_id = ${customerId} and submission_id = any(${ids}::uuid[])
    ), gone_amendments as (
      delete from submission_amendments where customer_id = ${customerId} and submission_id = any(${ids}::uuid[])
    ), gone_work as (
      delete from submission_work where customer_id = ${customerId} and submission_id = any(${ids}::uuid[])
    ), gone_notes as (
      delete from submission_notes where customer_id = ${customerId} and submission_id = any(${ids}::uuid[])
    ), gone_signatures as (
      delete from submission_signatures where customer_id = ${customerId} and submission_id = any(${ids}::uuid[])
    ), gone_signers as (
      delete from submission_signers where customer_id = ${customerId} and submission_id = any(${ids}::uuid[])
    ), gone_prefilled as (
      update form_links set answers = null
      where customer_id = ${customerId} and form_id = ${formId} and submission_id = any(${ids}::uuid[])
    ), gone_files as (
      delete from submission_files where customer_id = ${customerId} and submission_id = any(${ids}::uuid[])
      returning submission_id, blob_id
    ), gone_certificates as (
      delete from submission_certificates where customer_id = ${customerId} and submission_id = any(${ids}::uuid[])
      returning submission_id, blob_id
    ), gone_blobs as (
      delete from blobs b using (table gone_files union all table gone_certificates) f
      where b.customer_id = ${customerId} and b.id = f.blob_id
    ), gone as (
      delete from submissions where customer_id = ${customerId} and form_id = ${formId} and id = any(${ids}::uuid[])
      returning id, created_at, encode(sha256(sealed), 'hex') as sha256
    ), counted as (
      update form_counts set submission_count = submission_count - (select count(*) from gone)
      where customer_id = ${customerId} and form_id = ${formId}
    )
    select gone.*, (select array_agg(blob_id) from gone_files f where f.submission_id = gone.id) as blobs,
      (select blob_id from gone_certificates c where c.submission_id = gone.id) as certificate
    from gone`.execute(tx);
  if (rows.length === 0) return [];
  const destroyed = rows.map(({ id, sha256, created_at: receivedAt, blobs }) => {
    return { id, sha256, receivedAt, files: blobs?.length ?? 0 };
  });
  const exports = await releaseExports(tx, clock, { customerId, formId });
  const certificate = await writeDestruction(tx, deps, { formId, why, destroyed });
  for (const { id, files } of destroyed) {
    await recordAct(tx, clock, act, { target: id, details: { form: formId, files, certificate } });
  }
  const files = rows.flatMap(({ blobs, certificate: kept }) => [...(blobs ?? []), ...(kept === null ? [] : [kept])]);
  return [...files, ...exports];
}

/** Removes files whose rows are gone; one that cannot be removed now is an orphan and swept later. */
export async function removeFiles(store: BlobStore, ids: string[]): Promise<void> {
  for (const id of ids) await store.remove(id).catch(() => undefined);
}
