import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Act } from '../../../platform/act.ts';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import type { KeyCaller } from '../../../platform/http/access.ts';
import type { Idempotency, KeptReply } from '../../../platform/http/idempotency.ts';
import type { Backpressure } from '../../../platform/http/limits/backpressure.ts';
import type { RateLimits } from '../../../platform/http/limits/rate-limits.ts';
import { timeOrderedId } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import { onBehalfOf } from '../../../platform/request-context.ts';
import { REPLY, replyToError } from '../../smtp-server/replies.ts';
import type { AcceptedMessage, AcceptMessages } from '../accept.ts';
import type { Message } from '../message.ts';
import type { MimeParser } from '../mime/large-mime.ts';
import { readSubmission, type Submission } from '../mime/read-mime.ts';
import type { TemplateChoice } from '../template-choice.ts';

export type Rate = Parameters<RateLimits['take']>[1];

export interface SubmitDeps {
  acceptMessages: AcceptMessages;
  idempotency: Idempotency;
  rateLimits: RateLimits;
  limits: { key: Rate };
  backpressure: Backpressure;
  applyTemplate(customerId: number, message: Message, template: TemplateChoice): Promise<Message>;
  mimeParser: MimeParser;
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'smtpSubmissions' | 'signInFailures'>;
}

export interface Received {
  /** What the lines about one connection have in common. */
  sessionId: string;
  caller: KeyCaller;
  recipients: string[];
  /** As it came. */
  mime: Buffer<ArrayBuffer>[];
}

/** Accepts what DATA brought and answers with the reply to it: 250 only once the message is durable. */
export async function submit(deps: SubmitDeps, received: Received): Promise<string> {
  const began = performance.now();
  const requestId = timeOrderedId(deps.clock);
  const reply = await onBehalfOf(requestId, () => replyTo(deps, requestId, received));
  const seconds = (performance.now() - began) / 1000;
  const { sessionId } = received;
  deps.log.debug({ requestId, sessionId, code: Number(reply.slice(0, 3)) }, 'message answered');
  deps.metrics.smtpSubmissions.observe({ outcome: OUTCOME_OF[reply[0] as string] ?? 'failed' }, seconds);
  return reply;
}

const HASHED_AT_ONCE = 256 * 1024;

/** By the first digit of the reply (RFC 5321 4.2.1). */
const OUTCOME_OF: Record<string, string> = { 2: 'accepted', 4: 'failed', 5: 'refused' };

async function replyTo(deps: SubmitDeps, requestId: string, received: Received): Promise<string> {
  try {
    if (deps.backpressure.full) return REPLY.full;
    const { caller, recipients } = received;
    const { allowed, resetSeconds } = deps.rateLimits.take(caller.keyId, deps.limits.key);
    if (!allowed) throw new AppError('rate_limited', `Too many messages, try again in ${resetSeconds} seconds`);
    const parsed = await deps.mimeParser.parse(received.mime);
    const id = await accept(deps, requestId, caller, readSubmission(parsed, recipients));
    return `250 2.0.0 queued as ${id}`;
  } catch (error) {
    const reply = replyToError(error);
    if (reply === null || reply === REPLY.failed) deps.log.error({ requestId, err: error }, 'submission failed');
    return reply ?? REPLY.failed;
  }
}

async function accept(deps: SubmitDeps, requestId: string, caller: KeyCaller, submission: Submission): Promise<string> {
  const { customerId, keyId } = caller;
  const act: Act = { customerId, actor: { kind: 'key', id: keyId }, action: 'message.accepted', requestId };
  const { idempotencyKey } = submission;
  if (idempotencyKey === null) {
    const [accepted] = await deps.acceptMessages(act, caller, [await withTemplate(deps, customerId, submission)]);
    return (accepted as AcceptedMessage).sourceTrackingId;
  }
  const { idempotency } = deps;
  const claim = await idempotency.claim(customerId, 'submitMessage', idempotencyKey, await canonicalForm(submission));
  const outcome = await idempotency.once(claim, async () => {
    try {
      const once = { claim, bodyOf: ([first]: unknown[]) => first };
      const message = await withTemplate(deps, customerId, submission);
      const [accepted] = await deps.acceptMessages(act, caller, [message], once);
      return { status: 200, body: accepted };
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      const refusal: KeptReply = { status: error.status, body: { code: error.code, message: error.message } };
      await idempotency.keep(claim, refusal);
      return refusal;
    }
  });
  if (outcome.status === 200) return (outcome.body as AcceptedMessage).sourceTrackingId;
  const { code, message } = outcome.body as Pick<AppError, 'code' | 'message'>;
  throw new AppError(code, message);
}

async function withTemplate(deps: SubmitDeps, customerId: number, { message, template }: Submission): Promise<Message> {
  return template === null ? message : deps.applyTemplate(customerId, message, template);
}

/** What makes two submissions the same, with a hash for each file: as JSON the files would be five times as long. */
async function canonicalForm({ message, template }: Submission): Promise<unknown> {
  const attachments = [];
  for (const { content, ...rest } of message.attachments)
    attachments.push({ ...rest, sha256: await digestOf(content) });
  return { ...message, attachments, template };
}

/** In slices, between which others have their turn. */
async function digestOf(content: Buffer): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < content.length; at += HASHED_AT_ONCE) {
    if (at > 0) await setImmediate();
    hash.update(content.subarray(at, at + HASHED_AT_ONCE));
  }
  return hash.digest('base64');
}
