import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway, tookTooLong } from '../db/failure.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import type { Log } from '../log.ts';
import { fromValidation } from './from-validation.ts';
import { JSON_TYPE } from './written-json.ts';

const FASTIFY_ERRORS: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

const TOO_LONG = 'The database was asked for more than it finds within 10 seconds: ask for less, or later';

/** Turns whatever was thrown into an error of the catalogue; what nobody foresaw becomes a bare 500. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (tookTooLong(error)) return new AppError('unavailable', TOO_LONG, { retryAfterSeconds: 10 });
  if (isDatabaseAway(error)) return new AppError('unavailable', 'The database is away', { retryAfterSeconds: 1 });
  const { validation, code, statusCode } = error as FastifyError;
  if (validation !== undefined) return fromValidation(validation);
  const known = FASTIFY_ERRORS[code];
  if (known !== undefined) return new AppError(known);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new AppError('invalid_request');
  return new AppError('internal');
}

/** Answers an error in the body of its area, with the headers that belong to it. */
export function replyWithError(
  error: unknown,
  deps: { errorBody(error: AppError): object; log: Log; invalidStatus?: number | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = toAppError(error);
  const foreseen = known.status < 500 || known.code === 'not_implemented';
  if (!foreseen) deps.log.error({ requestId: request.id, err: error, code: known.code }, 'request failed');
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
  if (known.code === 'step_up_required') reply.header('step-up', 'required');
  return reply
    .code(known.status === 400 ? (deps.invalidStatus ?? 400) : known.status)
    .type(JSON_TYPE)
    .serializer(JSON.stringify)
    .send(deps.errorBody(known));
}
