import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BlobStore } from '../../platform/blob/blob-store.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { BeginBlob } from '../../platform/blob/sealing/incoming-blobs.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import type { Rate } from '../../platform/http/limits/rate-limits.ts';
import type { FindVersion } from '../definition/compiled-versions.ts';
import type { FindPublicForm, PublicForm } from '../definition/public-forms.ts';
import type { DraftMailDeps } from '../drafts/mail-deps.ts';
import type { GateDeps } from '../gate/gate.ts';
import type { SuspicionDeps } from '../gate/suspicion.ts';
import type { AcceptSubmission } from '../submissions/accept.ts';
import type { Uploads } from '../uploads/uploads.ts';
import type { PageAssets } from './assets.ts';

/** What the pages of forms work with. */
export interface PageDeps extends GateDeps, SuspicionDeps, DraftMailDeps {
  blobs: SealedBlobs;
  blobStore: BlobStore;
  beginBlob: BeginBlob;
  idempotency: Idempotency;
  formRate: Rate;
  findPublicForm: FindPublicForm;
  findVersion: FindVersion;
  acceptSubmission: AcceptSubmission;
  uploads: Uploads;
  /** Turns a network address into something that may be stored. */
  pseudonymOf(address: string): string;
}

/** Somebody at the page of a form that is public. */
export interface Visit {
  form: PublicForm;
  /** Where they are, and where the page is sent to. */
  action: string;
  /** The token of a link that takes one submission. */
  link: string | null;
  request: FastifyRequest;
  reply: FastifyReply;
  /** The script of the page, where it could be built. */
  assets: PageAssets | null;
}

/** What a page carries from step to step beside what was answered. */
export interface Carried {
  /** The name of the submission to be, so that it is taken once however often it is sent. */
  once: string;
  /** When the form was first shown, sealed. */
  shown: string;
  /** What stands for the password. */
  pass: string | null;
  /** The draft that it was taken up from. */
  draft: string | null;
}
