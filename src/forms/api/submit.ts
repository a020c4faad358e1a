import { Type } from 'typebox';
import type { BlobStore } from '../../platform/blob/blob-store.ts';
import type { BeginBlob } from '../../platform/blob/sealing/incoming-blobs.ts';
import { AppError } from '../../platform/errors.ts';
import { streamed } from '../../platform/http/body-stream.ts';
import { Bytes, type BytesReply } from '../../platform/http/bytes.ts';
import { onceOnly } from '../../platform/http/carry-out.ts';
import { type Endpoint, type PublicCall, publicEndpoint } from '../../platform/http/endpoint.ts';
import { toAppError } from '../../platform/http/error-replies.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import type { Rate, RateLimits } from '../../platform/http/rate-limits.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { formNotFound } from '../definition/form.ts';
import type { FindPublicForm, PublicForm } from '../definition/public-forms.ts';
import type { AcceptedSubmission, AcceptSubmission } from '../submissions/accept.ts';
import { readSubmission, type Sent } from '../submissions/read-submission.ts';
import { signReceipt } from '../submissions/receipt.ts';
import { discardFiles, type Received, receive, refuseTooLong } from '../submissions/receive.ts';

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]));

/** For the reference: what is read is read by hand, while it arrives. */
const SubmissionBody = Type.Object({
  form_data: Type.Record(Type.String(), Type.Unknown(), { description: 'Answers by the names of their questions' }),
  attachments: Type.Optional(
    Type.Union([
      Type.Array(
        Type.Object({
          name: Text,
          fileName: Text,
          contentType: Text,
          field: Text,
          content: Type.String({ description: 'base64' }),
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
});

export interface SubmitDeps {
  vault: Vault;
  idempotency: Idempotency;
  rateLimits: RateLimits;
  formRate: Rate;
  blobStore: BlobStore;
  beginBlob: BeginBlob;
  findPublicForm: FindPublicForm;
  acceptSubmission: AcceptSubmission;
  /** The installation's own, which sign receipts. */
  installationKeys: CustomerVault;
}

type Asked = Pick<PublicCall<unknown, unknown, unknown>, 'requestId' | 'headers' | 'setHeader'>;

/** POST /api/forms/:id/submissions */
export function submitEndpoint(deps: SubmitDeps): Endpoint {
  const { vault, idempotency, rateLimits, formRate, blobStore: store, beginBlob: begin, findPublicForm } = deps;

  function limitForm({ id }: PublicForm): void {
    const { allowed, resetSeconds } = rateLimits.take(`form/${id}`, formRate);
    if (!allowed) throw new AppError('rate_limited', 'Too many submissions', { retryAfterSeconds: resetSeconds });
  }

  async function accept(form: PublicForm, received: Received, { requestId, headers, setHeader }: Asked) {
    const key = headers['idempotency-key'] as string | undefined;
    const sent = readSubmission(received);
    const arrival = { requestId, form, sent, files: received.files };
    if (key === undefined) return deps.acceptSubmission({ ...arrival, claim: null });
    const claim = await idempotency.claim(form.customerId, `submitForm/${form.id}`, key, identityOf(sent));
    const { body, replayed, refusal } = await onceOnly(idempotency, claim, 201, async () => {
      const { id, version, at } = await deps.acceptSubmission({ ...arrival, claim });
      return { id, version, at: at.toISOString() };
    });
    if (replayed) setHeader('idempotency-replayed', 'true');
    if (refusal !== null) throw refusal;
    if (replayed) await discardFiles(store, received.files);
    const { id, version, at } = body as { id: string; version: number; at: string };
    return { id, version, at: new Date(at) };
  }

  function answer(form: PublicForm, { id, version, at }: AcceptedSubmission): BytesReply {
    const receipt = { submission: id, form: form.id, version, received: at.toISOString() };
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
      if (form === null) throw formNotFound();
      limitForm(form);
      const keys = await vault.of(form.customerId);
      const received = await receive({ begin, store, keys }, form.customerId, body);
      try {
        return answer(form, await accept(form, received, call));
      } catch (error) {
        // After a failure of ours the submission may be there all the same; files that nothing refers to are swept.
        if (toAppError(error).status < 500) await discardFiles(store, received.files);
        throw error;
      }
    },
  });
}

/** What makes two submissions the same, however they travelled. */
function identityOf({ formData, signature, formVersion, files }: Sent): unknown {
  return [formData, signature ?? null, formVersion, files.map(({ name, sha256 }) => [name, sha256])];
}
