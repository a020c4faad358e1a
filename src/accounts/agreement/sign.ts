import { createHash } from 'node:crypto';
import type { Act } from '../../platform/act.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { recordAgreement } from '../agreements.ts';
import { readName } from '../read-name.ts';
import { AGREEMENT_VERSION, agreementText, type Parties, plainText } from './text.ts';

interface Deps {
  db: Database;
  blobs: SealedBlobs;
  clock: Clock;
}

export interface Signing {
  parties: Parties;
  signer: string;
  title: string;
  /** The version that the signer has read. */
  version: string;
  userId: string;
}

/** Signs the agreement in the words of the version that was read, and keeps it as a PDF; returns its id. */
export async function signAgreement(
  deps: Deps,
  act: Act,
  signing: Signing,
  writeWith: (tx: Tx, id: string) => Promise<void>,
): Promise<string> {
  const { parties, version, userId } = signing;
  const signer = readName('signer_name', signing.signer);
  const title = readName('signer_title', signing.title);
  if (version !== AGREEMENT_VERSION)
    throw new AppError('conflict', 'The text has changed since it was shown: read it again');
  const text = agreementText(parties);
  const at = deps.clock.now();
  const textHash = createHash('sha256').update(plainText(text)).digest('hex');
  // Loaded where it is needed only: the writer of PDF takes 30 MB.
  const { writeAgreementPdf } = await import('./write-pdf.ts');
  const pdf = await writeAgreementPdf(text, { signer, title, at, userId, textHash });
  const signedOn = at.toISOString().slice(0, 10);
  const agreement = { version, signer: `${signer}, ${title}`, signedOn, endsOn: null, pdf };
  return recordAgreement(deps, act, agreement, writeWith);
}
