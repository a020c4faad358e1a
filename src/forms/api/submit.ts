import { Type } from 'typebox';
import type { BlobStore } from '../../platform/blob/blob-store.ts';
import type { BeginBlob } from '../../platform/blob/sealing/incoming-blobs.ts';
import { AppError } from '../../platform/errors.ts';
import { type BodyStream, streamed } from '../../platform/http/body/body-stream.ts';
import { Bytes, type BytesReply } from '../../platform/http/bytes.ts';
import { onceOnly } from '../../platform/http/carry-out.ts';
import { type Endpoint, type PublicCall, publicEndpoint } from '../../platform/http/endpoint.ts';
import { toAppError } from '../../platform/http/error-replies.ts';
import type { Idempotency, IdempotencyClaim } from '../../platform/http/idempotency.ts';
import type { Rate, RateLimits } from '../../platform/http/limits/rate-limits.ts';
import { momentText } from '../../platform/moment-text.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { formNotFound } from '../definition/form.ts';
import type { FindPublicForm, PublicForm } from '../definition/public-forms.ts';
import { limitsOf } from '../end-to-end/check-sent.ts';
import { type ApiGateDeps, passGate } from '../gate/api-gate.ts';
import { GateRefusal } from '../gate/refusal.ts';
import type { AcceptedSubmission, AcceptSubmission } from '../submissions/accept.ts';
import { type ClosedForm, createFindClosedForm, submissionTo } from '../submissions/closed-forms.ts';
import { type NamedUpload, readSubmission, type Sent } from '../submissions/read-submission.ts';
import { signReceipt } from '../submissions/receipt.ts';
import { discardFiles, type Received, receive, refuseTooLong } from '../submissions/receive.ts';
import { uploadGone } from '../uploads/claim.ts';
import type { Upload, Uploads } from '../uploads/uploads.ts';

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]));

/** For the reference: what is read is read by hand, while it arrives. */
const SubmissionBody = Type.Object({
  form_data: Type.Record(Type.String(), Type.Unknown(), { description: 'Answers by the names of their questions' }),
  sealed: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'In place of form_data, where a form is encrypted end to end: an age file in base64',
    }),
  ),
  attachments: Type.Optional(
    Type.Union([
      Type.Array(
        Type.Object({
          name: Text,
          fileName: Text,
          contentType: Text,
          field: Text,
          content: Type.Optional(Type.String({ description: 'base64' })),
          upload: Type.Optional(
            Type.String({ description: 'In place of content: the token of a file that was uploaded before' }),
          ),
        }),
      ),
      Type.Null(),
    ]),
  ),
  signature: Type.Optional(
    Type.Union([
      Type.Object({ name: Text, image: Text }, { description: '{confirmed: true, name, image?}' }),
      Type.Null(),
    ]),
  ),
  form_version: Type.Optional(
    Type.Union([Type.Integer(), Type.String(), Type.Null()], { description: 'The version that was filled in' }),
  ),
  gate: Type.Optional(
    Type.Union([
      Type.Object(
        { password: Text, link: Text, proof: Text },
        { description: 'What a form asks for that is not open to everybody: see its page settings' },
      ),
      Type.Null(),
    ]),
  ),
});

export interface SubmitDeps extends ApiGateDeps {
  vault: Vault;
  idempotency: Idempotency;
  rateLimits: RateLimits;
  formRate: Rate;
  blobStore: BlobStore;
  beginBlob: BeginBlob;
  findPublicForm: FindPublicForm;
  acceptSubmission: AcceptSubmission;
  uploads: Uploads;
  /** The installation's own, which sign receipts. */
  installationKeys: CustomerVault;
}

type Asked = Pick<PublicCall<unknown, unknown, unknown>, 'requestId' | 'headers' | 'ip' | 'setHeader'>;

/** What came, read, and how it is taken in where it did not come before. */
interface Arrival {
  sent: Sent;
  uploads: NamedUpload[];
  received: Received;
  claim: IdempotencyClaim | null;
}

type TakeIn = (arrival: Arrival) => Promise<AcceptedSubmission>;

/** POST /api/forms/:id/submissions */
export function submitEndpoint(deps: SubmitDeps): Endpoint {
  const { vault, idempotency, rateLimits, formRate, blobStore: store, beginBlob: begin, findPublicForm } = deps;
  const findClosedForm = createFindClosedForm(deps);

  function limitForm({ id }: ClosedForm): void {
    const { allowed, resetSeconds } = rateLimits.take(`form/${id}`, formRate);
    if (!allowed) throw new AppError('rate_limited', 'Too many submissions', { retryAfterSeconds: resetSeconds });
  }

  /** The files that came ahead of a submission; throws unless each of them is there, once. */
  async function findNamed(form: PublicForm, named: NamedUpload[]): Promise<Upload[]> {
    if (named.length === 0) return [];
    const found = await deps.uploads.find(
      form,
      named.map(({ token }) => token),
    );
    if (found.length !== named.length) throw uploadGone();
    return found.map(({ token, file }, at) => ({ token, file: { ...file, field: named[at]?.field ?? file.field } }));
  }

  function takeInto(form: PublicForm, { requestId, ip }: Asked): TakeIn {
    return async ({ sent, uploads: named, received, claim }) => {
      const passage = await passGate(deps, form, received.body, ip);
      // Found only where the submission is carried out: once it was, they are gone.
      const uploads = await findNamed(form, named);
      return deps.acceptSubmission({ requestId, form, sent, files: received.files, uploads, passage, claim });
    };
  }

  async function accept(form: ClosedForm, received: Received, { headers, setHeader }: Asked, takeIn: TakeIn) {
    const key = keyIn(headers);
    const read = tryToRead(received);
    const takeInRead = async (claim: IdempotencyClaim | null) => {
      if (read instanceof AppError) throw read;
      const { uploads, ...sent } = read;
      return takeIn({ sent, uploads, received, claim });
    };
    if (key === undefined) return takeInRead(null);
    const identity = read instanceof AppError ? identityOfUnreadable(received) : identityOf(read);
    const claim = await idempotency.claim(form.customerId, submissionTo(form.id), key, identity);
    const work = async () => {
      const { id, version, at } = await takeInRead(claim);
      return { id, version, at: momentText(at) };
    };
    const { body, replayed, refusal } = await onceOnly(idempotency, claim, 201, work, isTurnedAway);
    if (replayed) setHeader('idempotency-replayed', 'true');
    if (refusal !== null) throw refusal;
    if (replayed) await discardFiles(store, received.files);
    const { id, version, at } = body as { id: string; version: number; at: string };
    return { id, version, at: new Date(at) };
  }

  async function receiveAndAnswer(form: ClosedForm, body: BodyStream, call: Asked, takeIn: TakeIn) {
    const keys = await vault.of(form.customerId);
    const received = await receive({ begin, store, keys }, form.customerId, body, limitsOf(form));
    try {
      return answer(form, await accept(form, received, call, takeIn));
    } catch (error) {
      // After a failure of ours the submission may be there all the same; files that nothing refers to are swept.
      if (toAppError(error).status < 500) await discardFiles(store, received.files);
      throw error;
    }
  }

  /** Confirms once more what a form took before it was closed. All that is not the same learn nothing of it. */
  async function answerAgain(formId: string, body: BodyStream, call: Asked) {
    try {
      const form = await findClosedForm(formId, keyIn(call.headers));
      if (form === null) throw formNotFound();
      limitForm(form);
      return await receiveAndAnswer(form, body, call, () => Promise.reject(formNotFound()));
    } catch (error) {
      const { status, code } = toAppError(error);
      throw status < 500 && code !== 'rate_limited' ? formNotFound() : error;
    }
  }

  function answer(form: ClosedForm, { id, version, at }: AcceptedSubmission): BytesReply {
    const receipt = { submission: id, form: form.id, version, received: momentText(at) };
    return {
      status: 201,
      headers: {
        location: `/v1/forms/api/forms/${form.id}/submissions/${id}`,
        'x-submission-id': id,
        'submission-receipt': signReceipt(deps.installationKeys, receipt),
      },
      body: null,
    };
  }

  return publicEndpoint({
    method: 'POST',
    path: '/api/forms/:id/submissions',
    operation: 'submitForm',
    summary: 'Submit answers and files, 250 MB in all; as JSON or multipart/form-data',
    access: 'public',
    crossOrigin: true,
    audit: 'submission.received',
    params: Type.Object({ id: Type.String() }),
    body: streamed(SubmissionBody),
    status: 201,
    reply: Bytes,
    async handle({ params, body, ...call }) {
      refuseTooLong(call.headers['content-length']);
      const form = await findPublicForm(params.id);
      if (form === null) return answerAgain(params.id, body, call);
      limitForm(form);
      return receiveAndAnswer(form, body, call, takeInto(form, call));
    },
  });
}

function keyIn(headers: Asked['headers']): string | undefined {
  return headers['idempotency-key'] as string | undefined;
}

/** Whoever was turned away at the gate, or came while the form was closed, may come back when that is no longer so. */
function isTurnedAway(refusal: AppError): boolean {
  return refusal instanceof GateRefusal || refusal.code === 'not_found';
}

type Read = ReturnType<typeof readSubmission>;

/** A submission, or why it cannot be read. */
function tryToRead(received: Received): Read | AppError {
  try {
    return readSubmission(received);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** What makes two submissions the same that cannot be read: all but what opens the gate, which is another each time. */
function identityOfUnreadable({ body, files }: Received): unknown {
  const { gate: _gate, ...rest } = body;
  return [rest, files.map(({ blob }) => blob.sha256.toString('hex'))];
}

/** What makes two submissions the same, however they travelled. */
function identityOf({ formData, signature, formVersion, files, sealed, uploads }: Read): unknown {
  const sentAlong = files.map(({ name, sha256, field }) => [name, sha256, ...(field === null ? [] : [field])]);
  const told = [formData, signature ?? null, formVersion, sentAlong];
  return [...told, ...(uploads.length === 0 ? [] : [uploads]), ...(sealed === undefined ? [] : [sealed])];
}
