import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import { lingerOver } from '../../../platform/http/body/body-stream.ts';
import { replyWithError } from '../../../platform/http/error-replies.ts';
import { limitNetwork, type NetworkLimit } from '../../../platform/http/limits/limit-network.ts';
import type { Log } from '../../../platform/log.ts';
import { formsErrorBody } from '../../api/errors.ts';
import { createFindVersion, type FindVersion, type FormVersion } from '../../definition/compiled-versions.ts';
import { formNotFound } from '../../definition/form.ts';
import { createFindPublicForm, type PublicForm } from '../../definition/public-forms.ts';
import { isSealedForm, requireNeutral } from '../../end-to-end/check-sent.ts';
import type { GateDeps } from '../../gate/gate.ts';
import { GateRefusal } from '../../gate/refusal.ts';
import { findFormAt } from '../../page/find-form.ts';
import { createUploads } from '../create-uploads.ts';
import { findUpload } from '../upload-row.ts';
import type { Uploads } from '../uploads.ts';
import { beginUpload, refuseUnfit } from './begin-upload.ts';
import {
  ABILITIES,
  ALWAYS,
  bringsBytes,
  progressOf,
  readLength,
  readOffset,
  refuseTooMany,
  requireBytes,
  speaksTus,
} from './headers.ts';
import { readMetadata, readShown, writeMetadata } from './metadata.ts';
import { passGateWithFile } from './pass-gate.ts';
import { type ReceiveDeps, receiveUpload, settleUpload } from './receive-upload.ts';
import type { PartDeps } from './take-part.ts';
import { UnderWay } from './under-way.ts';

type Deps = NetworkLimit & PartDeps & GateDeps & { log: Log };
type Made = Deps & ReceiveDeps & { uploads: Uploads; findVersion: FindVersion };

/** A request about the files of one form. */
interface Visit {
  form: PublicForm;
  request: FastifyRequest;
  reply: FastifyReply;
}

type Answering = (deps: Made, visit: Visit) => Promise<FastifyReply>;

const CREATION = '/f/:address/files';
const UPLOAD = `${CREATION}/:token`;

/** Adds /f/…/files, where files come ahead of their submission and go on where they broke off (tus 1.0). */
export function addUploadRoutes(server: FastifyInstance, given: Deps): void {
  const { db, clock, log } = given;
  const findPublicForm = createFindPublicForm({ db, clock });
  const uploads = createUploads(given);
  const deps: Made = { ...given, uploads, underWay: new UnderWay(), findVersion: createFindVersion(db) };

  async function meet(answer: Answering, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.headers(ALWAYS);
    if (!speaksTus(request.headers)) return reply.code(412).headers(ABILITIES).send();
    const form = await findFormAt({ db, findPublicForm }, (request.params as { address: string }).address);
    if (form === null) throw formNotFound();
    if (form.page.closesAt !== null && form.page.closesAt <= clock.now()) throw new GateRefusal('closed');
    return answer(deps, { form, request, reply });
  }

  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null)); // read while it arrives
    scope.addHook('onRequest', (request, reply, done) => limitNetwork(deps, request, reply, done));
    scope.setErrorHandler((error, request, reply) => {
      reply.headers(ALWAYS).raw.once('finish', () => lingerOver(request.raw));
      return replyWithError(error, { errorBody: formsErrorBody, log }, request, reply);
    });
    const add = (method: HTTPMethods, url: string, answer: Answering) =>
      scope.route({
        method,
        url,
        config: { open: true },
        schema: { hide: true },
        handler: (request, reply) => meet(answer, request, reply),
      });
    for (const url of [CREATION, UPLOAD]) {
      scope.options(url, { config: { open: true }, schema: { hide: true } }, (_request, reply) =>
        reply
          .code(204)
          .headers({ ...ALWAYS, ...ABILITIES })
          .send(),
      );
    }
    add('POST', CREATION, create);
    add('HEAD', UPLOAD, tell);
    add('PATCH', UPLOAD, takeBytes);
    add('DELETE', UPLOAD, drop);
    add('POST', UPLOAD, overridden);
  });
}

async function create(deps: Made, { form, request, reply }: Visit): Promise<FastifyReply> {
  const { headers, ip, params } = request;
  const length = readLength(headers);
  const metadata = headers['upload-metadata'] as string | undefined;
  const words = readMetadata(metadata);
  const network = deps.pseudonymOf(ip);
  await passGateWithFile(deps, form, readShown(metadata), network);
  const { model } = (await deps.findVersion(form, form.version)) as FormVersion;
  refuseUnfit(model, length, words);
  if (isSealedForm(form)) requireNeutral('Upload-Metadata', words);
  const { token, upload } = await beginUpload(deps, form, { length, words, network });
  const { address } = params as { address: string };
  reply.header('location', `/f/${encodeURIComponent(address)}/files/${token}`);
  if (bringsBytes(headers)) refuseTooMany(headers, upload);
  const taken = bringsBytes(headers) || length === 0 ? await receiveUpload(deps, upload, request) : upload;
  return reply.code(201).headers(progressOf(taken)).send();
}

async function tell(deps: Made, { form, request, reply }: Visit): Promise<FastifyReply> {
  const upload = await settleUpload(deps, form, tokenOf(request));
  return reply
    .code(200)
    .headers({
      ...progressOf(upload),
      'upload-length': String(upload.length),
      'upload-metadata': writeMetadata(upload.words),
    })
    .send();
}

async function takeBytes(deps: Made, { form, request, reply }: Visit): Promise<FastifyReply> {
  requireBytes(request.headers);
  const offset = readOffset(request.headers);
  const upload = await findUpload(deps, form, tokenOf(request));
  if (offset !== upload.received) throw new AppError('conflict', 'Upload-Offset is not where the file goes on');
  refuseTooMany(request.headers, upload);
  const taken = await receiveUpload(deps, upload, request);
  return reply.code(204).headers(progressOf(taken)).send();
}

async function drop(deps: Made, { form, request, reply }: Visit): Promise<FastifyReply> {
  const { id } = await findUpload(deps, form, tokenOf(request));
  await deps.underWay.settle(id);
  await deps.uploads.drop(form, tokenOf(request));
  return reply.code(204).send();
}

/** Some networks let nothing but GET and POST through. */
async function overridden(deps: Made, visit: Visit): Promise<FastifyReply> {
  const answer = { PATCH: takeBytes, DELETE: drop }[String(visit.request.headers['x-http-method-override'])];
  if (answer === undefined) throw new AppError('method_not_allowed');
  return answer(deps, visit);
}

function tokenOf({ params }: FastifyRequest): string {
  return (params as { token: string }).token;
}
