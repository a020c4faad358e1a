import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Act, Actor } from '../act.ts';
import { AppError } from '../errors.ts';
import type { Caller } from './access.ts';
import { isStreamed, toBodyStream } from './body/body-stream.ts';
import { Bytes, type BytesReply, sendBytes } from './bytes.ts';
import type { Call, Endpoint, GuardedEndpoint } from './endpoint.ts';
import { toAppError } from './error-replies.ts';
import type { Idempotency, IdempotencyClaim } from './idempotency.ts';
import { JSON_TYPE } from './written-json.ts';

/** Answers a request with what the handler of its endpoint returns. */
export async function carryOut(
  idempotency: Idempotency,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const answer = await answerOf(idempotency, endpoint, request, reply);
  if (endpoint.reply === Bytes) return sendBytes(reply, answer as BytesReply);
  reply.code(endpoint.status ?? 200);
  if (answer instanceof Uint8Array) reply.type(JSON_TYPE);
  if (!isStream(answer)) return answer;
  return reply.type(JSON_TYPE).send(Readable.from(answer, { objectMode: false }));
}

function isStream(answer: unknown): answer is AsyncIterable<Uint8Array> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

async function answerOf(
  idempotency: Idempotency,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { id: requestId, params, query, headers, ip } = request;
  const body = isStreamed(endpoint.body) ? toBodyStream(request.raw) : request.body;
  const setHeader = (name: string, value: string) => void reply.header(name, value);
  const asked = { requestId, params, query, body, headers, ip, setHeader };
  if (endpoint.access === 'public') return endpoint.handle(asked);
  const call = { ...callOf(endpoint, request), ...asked };
  const key = headers['idempotency-key'];
  const { validationError: invalid } = request;
  const checked = invalid === undefined ? endpoint : { ...endpoint, handle: () => Promise.reject(invalid) };
  if (!isIdempotent(endpoint) || key === undefined) return checked.handle({ ...call, idempotency: null });
  return carryOutOnce(idempotency, checked, call, String(key));
}

/** Whether an endpoint answers a repeated call as the first, which goes for refusals of the schema too. */
export function isIdempotent(endpoint: Endpoint): boolean {
  return endpoint.access !== 'public' && endpoint.idempotent === true;
}

function callOf(endpoint: GuardedEndpoint, request: FastifyRequest): { caller: Caller; act: Act } {
  const caller = request.caller as Caller;
  const actor = actorOf(caller);
  const action = endpoint.audit ?? endpoint.operation;
  return { caller, act: { customerId: caller.customerId, actor, action, requestId: request.id } };
}

function actorOf({ keyId, person }: Caller): Actor {
  if (person === null) return { kind: 'key', id: keyId };
  if (person.grantId !== undefined) return { kind: 'break-glass', id: person.grantId };
  return { kind: 'user', id: person.userId };
}

type UnclaimedCall = Omit<Call<unknown, unknown, unknown>, 'idempotency'>;

async function carryOutOnce(
  idempotency: Idempotency,
  endpoint: GuardedEndpoint,
  call: UnclaimedCall,
  key: string,
): Promise<unknown> {
  const asked = endpoint.params === undefined ? (call.body ?? null) : [call.params, call.body];
  const claim = await idempotency.claim(call.caller.customerId, endpoint.operation, key, asked);
  const work = () => endpoint.handle({ ...call, idempotency: claim });
  const { body, replayed, refusal } = await onceOnly(idempotency, claim, endpoint.status ?? 200, work);
  if (replayed) call.setHeader('idempotency-replayed', 'true');
  if (refusal !== null) throw refusal;
  if (replayed && endpoint.answerAgain !== undefined)
    return endpoint.answerAgain({ ...call, idempotency: claim }, body);
  return body;
}

/**
 * Does claimed work once, and answers as then whenever it is asked for again. A refusal is kept like any answer, unless it
 * says nothing of the work itself: that too many came, or what `isPassing` tells.
 */
export async function onceOnly(
  idempotency: Idempotency,
  claim: IdempotencyClaim,
  status: number,
  work: () => Promise<unknown>,
  isPassing: (refusal: AppError) => boolean = () => false,
): Promise<{ body: unknown; replayed: boolean; refusal: AppError | null }> {
  const {
    status: kept,
    body,
    replayed,
  } = await idempotency.once(claim, async () => {
    try {
      return { status, body: await work() };
    } catch (error) {
      const refusal = toAppError(error);
      if (refusal.status >= 500 || refusal.code === 'rate_limited' || isPassing(refusal)) throw error;
      const { code, message, fields } = refusal;
      const reply = { status: refusal.status, body: { code, message, fields } };
      await idempotency.keep(claim, reply);
      return reply;
    }
  });
  return { body, replayed, refusal: kept >= 400 ? refusalOf(body) : null };
}

function refusalOf(body: unknown): AppError {
  const { code, message, fields } = body as Pick<AppError, 'code' | 'message' | 'fields'>;
  return new AppError(code, message, { fields });
}
