import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { Caller } from './access.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { toAppError } from './error-replies.ts';
import type { Idempotency, IdempotencyClaim } from './idempotency.ts';

/** What a handler gets of a request. */
export function callOf(endpoint: Endpoint, request: FastifyRequest): Call<unknown, unknown> {
  const caller = request.caller as Caller;
  return {
    caller,
    act: {
      customerId: caller?.customerId,
      actor: { kind: 'key', id: caller?.keyId },
      action: endpoint.audit ?? endpoint.operation,
      requestId: request.id,
    },
    query: request.query,
    body: request.body,
    idempotency: null,
  };
}

/** Runs the handler, once only where the caller sent an Idempotency-Key. */
export async function carryOut(
  idempotency: Idempotency,
  endpoint: Endpoint,
  call: Call<unknown, unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const key = request.headers['idempotency-key'];
  if (endpoint.idempotent !== true || key === undefined) return endpoint.handle(call);
  const { customerId } = call.caller;
  const claim = await idempotency.claim(customerId, endpoint.operation, String(key), call.body);
  const outcome = await idempotency.once(claim, () =>
    handleClaimed(idempotency, endpoint, { ...call, idempotency: claim }),
  );
  if (outcome.replayed) reply.header('idempotency-replayed', 'true');
  if (outcome.status !== 200) throw refusalOf(outcome.body);
  return outcome.body;
}

async function handleClaimed(idempotency: Idempotency, endpoint: Endpoint, call: Call<unknown, unknown>) {
  try {
    return { status: 200, body: await endpoint.handle(call) };
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
