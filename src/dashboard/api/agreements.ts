import { type Static, Type } from 'typebox';
import {
  type Agreement,
  agreementText,
  customerName,
  listAgreements,
  recordAct,
  signAgreement,
} from '../../accounts/index.ts';
import { AppError } from '../../platform/errors.ts';
import { Bytes } from '../../platform/http/bytes.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { contentDisposition } from '../../platform/http/pages/content-disposition.ts';
import type { DashboardDeps } from '../deps.ts';
import { signedIn } from '../signed-in.ts';
import { Moment, TextOrNull } from './reply-parts.ts';

const AgreementReply = Type.Object({
  id: Type.String({ format: 'uuid' }),
  version: Type.String(),
  signer: Type.String(),
  signed_on: Type.String({ format: 'date' }),
  ends_on: TextOrNull,
  recorded_at: Moment,
  in_force: Type.Boolean(),
  has_pdf: Type.Boolean({ description: 'whether the signed document can be downloaded' }),
});

const AgreementState = Type.Object({
  in_force: Type.Boolean(),
  agreement: Type.Union([AgreementReply, Type.Null()]),
  text: Type.Object({
    version: Type.String(),
    title: Type.String(),
    notice: Type.String(),
    sections: Type.Array(Type.Object({ heading: Type.String(), paragraphs: Type.Array(Type.String()) })),
  }),
});

const SignBody = Type.Object({
  signer_name: Type.String({ minLength: 1, maxLength: 200 }),
  signer_title: Type.String({ minLength: 1, maxLength: 200 }),
  accepted: Type.Literal(true),
  version: Type.String({ maxLength: 20 }),
});

/** The business associate agreement: reading, signing and keeping it. */
export function agreementEndpoints(deps: DashboardDeps): Endpoint[] {
  const { db, blobs, clock, sessions, idempotency, publicUrl } = deps;
  const operator = `the operator of ${new URL(publicUrl).hostname}`;
  const all = (customerId: number) => db.tenant([customerId], (tx) => listAgreements(tx, clock, customerId));
  const partiesOf = async (customerId: number) => ({
    customer: await db.tenant([customerId], (tx) => customerName(tx, customerId)),
    operator,
  });
  return [
    endpoint({
      method: 'GET',
      path: '/agreement',
      operation: 'readAgreement',
      summary: 'The agreement in force, and the text of the current version',
      access: { scope: 'people', role: 'reader' },
      audit: null,
      reply: AgreementState,
      async handle({ act: { customerId } }) {
        const known = await all(customerId);
        const newest = known.find(({ inForce }) => inForce) ?? null;
        return {
          in_force: newest !== null,
          agreement: newest === null ? null : describe(newest),
          text: agreementText(await partiesOf(customerId)),
        };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/agreement/sign',
      operation: 'signAgreement',
      summary: 'Sign the agreement in the words of the version that was read',
      access: { scope: 'people', role: 'owner', fresh: true },
      audit: 'agreement.signed',
      status: 201,
      body: SignBody,
      idempotent: true,
      reply: Type.Object({ id: Type.String({ format: 'uuid' }) }),
      async handle({ act, caller, body, idempotency: claim }) {
        const { userId } = signedIn(caller).person;
        const signing = {
          parties: await partiesOf(act.customerId),
          signer: body.signer_name,
          title: body.signer_title,
          version: body.version,
          userId,
        };
        const id = await signAgreement({ db, blobs, clock }, act, signing, (tx, signed) =>
          idempotency.keepWith(tx, claim, { status: 201, body: { id: signed } }),
        );
        sessions.forget(userId); // which knows of no agreement yet
        return { id };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/agreement/pdf',
      operation: 'readAgreementPdf',
      summary: 'The signed agreement as a PDF: the one in force, or else the last',
      access: { scope: 'people', role: 'admin' },
      audit: 'agreement.downloaded',
      produces: 'application/pdf',
      reply: Bytes,
      async handle({ act }) {
        const { customerId } = act;
        const kept = (await all(customerId)).filter(({ pdfBlobId }) => pdfBlobId !== null);
        const found = kept.find(({ inForce }) => inForce) ?? kept[0];
        if (found === undefined || found.pdfBlobId === null)
          throw new AppError('not_found', 'No signed document is kept here');
        await db.tenant([customerId], (tx) => recordAct(tx, clock, act, { target: found.id }));
        const name = `agreement-${found.signedOn}.pdf`;
        return {
          status: 200,
          headers: { 'content-type': 'application/pdf', 'content-disposition': contentDisposition(name, name) },
          body: blobs.read(customerId, found.pdfBlobId),
        };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/agreements',
      operation: 'listAgreements',
      summary: 'Every agreement that was ever recorded, newest first',
      access: { scope: 'people', role: 'reader' },
      audit: null,
      reply: Type.Object({ data: Type.Array(AgreementReply) }),
      handle: async ({ act }) => ({ data: (await all(act.customerId)).map(describe) }),
    }),
  ];
}

function describe(agreement: Agreement): Static<typeof AgreementReply> {
  return {
    id: agreement.id,
    version: agreement.version,
    signer: agreement.signer,
    signed_on: agreement.signedOn,
    ends_on: agreement.endsOn,
    recorded_at: agreement.recordedAt.toISOString(),
    in_force: agreement.inForce,
    has_pdf: agreement.pdfBlobId !== null,
  };
}
