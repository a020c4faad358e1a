import { sql } from 'kysely';
import type { Act } from '../platform/act.ts';
import { type SealedBlobs, type StoredBlob, writeBlobRow } from '../platform/blob/sealed-blobs.ts';
import { isDay } from '../platform/calendar-time.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { timeOrderedId } from '../platform/ids.ts';
import { recordAct } from './audit/record.ts';
import { requireNotDestroyed } from './customers.ts';
import './tables.ts';

const PDF_START = '%PDF-';

export interface NewAgreement {
  version: string;
  signer: string;
  /** YYYY-MM-DD, as are all dates here. */
  signedOn: string;
  endsOn: string | null;
  pdf: Buffer | null;
}

interface Deps {
  db: Database;
  blobs: SealedBlobs;
  clock: Clock;
}

/** Records a signed business associate agreement; health data is accepted from the day it was signed. */
export async function recordAgreement(
  { db, blobs, clock }: Deps,
  act: Act,
  agreement: NewAgreement,
  writeWith: (tx: Tx, id: string) => Promise<void> = async () => undefined,
): Promise<string> {
  const { version, signer, signedOn, endsOn, pdf } = agreement;
  if (version.trim() === '') throw invalidField('version', 'must not be empty');
  if (signer.trim() === '') throw invalidField('signer', 'must not be empty');
  if (!isDay(signedOn)) throw invalidField('date', 'takes YYYY-MM-DD');
  if (endsOn !== null && !isDay(endsOn)) throw invalidField('ends', 'takes YYYY-MM-DD');
  if (endsOn !== null && endsOn < signedOn) throw invalidField('ends', 'must not be before the day it was signed');
  if (pdf !== null && pdf.subarray(0, PDF_START.length).toString() !== PDF_START)
    throw invalidField('pdf', 'takes a PDF');
  const id = timeOrderedId(clock);
  const blob: StoredBlob | null = pdf === null ? null : await blobs.write(act.customerId, [pdf]);
  await db.tenant([act.customerId], async (tx) => {
    await requireNotDestroyed(tx, act.customerId);
    if (blob !== null) await writeBlobRow(tx, clock, blob);
    await tx
      .insertInto('agreements')
      .values({
        id,
        customer_id: act.customerId,
        version,
        signer,
        signed_on: signedOn,
        ends_on: endsOn,
        pdf_blob_id: blob?.id ?? null,
        recorded_at: clock.now(),
      })
      .execute();
    // Whoever agrees anew after everything was closed wants to go on.
    await tx.updateTable('customers').set({ closed_at: null }).where('id', '=', act.customerId).execute();
    await recordAct(tx, clock, act, { target: id, details: { version } });
    await writeWith(tx, id);
  });
  return id;
}

/** An agreement that was signed at some time. */
export interface Agreement {
  id: string;
  version: string;
  signer: string;
  signedOn: string;
  endsOn: string | null;
  recordedAt: Date;
  inForce: boolean;
  /** The file of the signed document, where there is one. */
  pdfBlobId: string | null;
}

/** All agreements of a customer, the newest first. */
export async function listAgreements(tx: Tx, clock: Clock, customerId: number): Promise<Agreement[]> {
  const today = clock.now().toISOString().slice(0, 10);
  const rows = await tx
    .selectFrom('agreements')
    .select(['id', 'version', 'signer', 'recorded_at', 'pdf_blob_id'])
    .select(sql<string>`signed_on::text`.as('signed_on'))
    .select(sql<string | null>`ends_on::text`.as('ends_on'))
    .where('customer_id', '=', customerId)
    .orderBy('recorded_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    signer: row.signer,
    signedOn: row.signed_on,
    endsOn: row.ends_on,
    recordedAt: row.recorded_at,
    inForce: row.signed_on <= today && (row.ends_on === null || row.ends_on >= today),
    pdfBlobId: row.pdf_blob_id,
  }));
}

/** Ends the agreements in force; what was stored stays readable, nothing new is accepted after the day. */
export async function endAgreements({ db, clock }: Omit<Deps, 'blobs'>, act: Act, endsOn: string): Promise<number> {
  if (!isDay(endsOn)) throw invalidField('date', 'takes YYYY-MM-DD');
  return db.tenant([act.customerId], async (tx) => {
    const ended = await endAgreementsIn(tx, clock, act, endsOn);
    if (ended === 0) throw new AppError('not_found', 'No agreement in force');
    return ended;
  });
}

/** The same in a transaction that ends more than that; returns how many there were. */
export async function endAgreementsIn(tx: Tx, clock: Clock, act: Act, endsOn: string): Promise<number> {
  const ended = await tx
    .updateTable('agreements')
    .set({ ends_on: endsOn })
    .where('customer_id', '=', act.customerId)
    .where((eb) => eb.or([eb('ends_on', 'is', null), eb('ends_on', '>', endsOn)]))
    .returning('id')
    .execute();
  if (ended.length > 0) await recordAct(tx, clock, act, { details: { agreements: ended.map((row) => row.id) } });
  return ended.length;
}

/** Whether a customer may take in health data today. */
export async function hasAgreement(tx: Tx, clock: Clock, customerId: number): Promise<boolean> {
  const today = clock.now().toISOString().slice(0, 10);
  const inForce = await tx
    .selectFrom('agreements')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('signed_on', '<=', today)
    .where((eb) => eb.or([eb('ends_on', 'is', null), eb('ends_on', '>=', today)]))
    .executeTakeFirst();
  return inForce !== undefined;
}
