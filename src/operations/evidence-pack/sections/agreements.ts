import { listAgreements } from '../../../accounts/index.ts';
import { moment, ofEachTenant, type ReadSection } from '../section.ts';

/** The business associate agreements, in force and ended. */
export const agreements: ReadSection = async (sources) => ({
  name: 'agreements',
  title: 'Business associate agreements',
  about: 'Every agreement that was recorded. Without one in force nothing is taken in.',
  columns: ['customer', 'id', 'version', 'signer', 'signed_on', 'ends_on', 'in_force', 'document_kept', 'recorded'],
  rows: await ofEachTenant(sources, async (tx, customerId) =>
    (await listAgreements(tx, sources.installation.clock, customerId)).map((each) => ({
      id: each.id,
      version: each.version,
      signer: each.signer,
      signed_on: each.signedOn,
      ends_on: each.endsOn,
      in_force: each.inForce,
      document_kept: each.pdfBlobId !== null,
      recorded: moment(each.recordedAt),
    })),
  ),
});
