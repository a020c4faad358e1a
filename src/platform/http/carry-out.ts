import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Act } from '../act.ts';
import { AppError } from '../errors.ts';
import type { Caller } from './access.ts';
import type { Call, Endpoint, GuardedEndpoint } from './endpoint.ts';
import { toAppError } from './error-replies.ts';
import type { Idempotency, IdempotencyClaim } from './idempotency.ts';

/** Answers a request with what the handler of its endpoint returns. */
export async function carryOut(
  idempotency: Idempotency,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { id: requestId, params, query, body } = request;
  reply.code(endpoint.status ?? 200);
  if (endpoint.access === 'public') return endpoint.handle({ requestId, params, query, body });
  const call = { ...callOf(endpoint, request), requestId, params, query, body };
  const key = request.headers['idempotency-key'];
  if (endpoint.idempotent !== true || key === undefined) return endpoint.handle({ ...call, idempotency: null });
  return carryOutOnce(idempotency, endpoint, call, String(key), reply);
}

function callOf(endpoint: GuardedEndpoint, request: FastifyRequest): { caller: Caller; act: Act } {
  const caller = request.caller as Caller;
  const actor = { kind: 'key' as const, id: caller.keyId };
  const action = endpoint.audit ?? endpoint.operation;
  return { caller, act: { customerId: caller.customerId, actor, action, requestId: request.id } };
}

type UnclaimedCall = Omit<Call<unknown, unknown, unknown>, 'idempotency'>;

async function carryOutOnce(
  idempotency: Idempotency,
  endpoint: GuardedEndpoint,
  call: UnclaimedCall,
  key: string,
  reply: FastifyReply,
): Promise<unknown> {
  const asked = endpoint.params === undefined ? call.body : [call.params, call.body];
  const claim = await idempotency.claim(call.caller.customerId, endpoint.operation, key, asked);
  const outcome = await idempotency.once(claim, () =>
    handleClaimed(idempotency, endpoint, { ...call, idempotency: claim }),
  );
  if (outcome.replayed) reply.header('idempotency-replayed', 'true');
  if (outcome.status >= 400) throw refusalOf(outcome.body);
  return outcome.body;
}

async function handleClaimed(
  idempotency: Idempotency,
  endpoint: GuardedEndpoint,
  call: Call<unknown, unknown, unknown>,
) {
  try {
    return { status: endpoint.status ?? 200, body: await endpoint.handle(call) };
  } catch (error) {
    const refusal = toAppError(error);
    if (refusal.status >= 500) throw error;
    const { code, message, fields } = refusal;
    const kept = { status: refusal.status, body: { code, message, fields } };
    await idempotency.keep(call.idempotency as IdempotencyClaim, kept);
    return kept;
  }
}

function refusalOf(body: unknown): AppError {
  const { code, message, fields } = body as Pick<AppError, 'code' | 'message' | 'fields'>;
  return new AppError(code, message, { fields });
}
