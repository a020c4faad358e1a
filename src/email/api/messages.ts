import { Type } from 'typebox';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { SenderRule } from '../domains/sender-rule.ts';
import type { AcceptedMessage, AcceptMessages } from '../submission/accept.ts';
import { HandlingBody, MessageBody, readMessage } from '../submission/read-message.ts';
import { readTemplateChoice } from '../submission/template-choice.ts';
import type { ApplyTemplate } from '../templates/apply.ts';

/** 50 MB of attachments as base64, and what stands around them. */
export const LARGEST_BODY = 100 * 2 ** 20;

export const Accepted = Type.Object({
  sourceTrackingId: Type.String({ format: 'uuid' }),
  customHeaders: Type.Record(Type.String(), Type.String()),
  data: Type.Literal('Service OK'),
});

/** What the sending operations are built on. */
export interface SendDeps {
  acceptMessages: AcceptMessages;
  applyTemplate: ApplyTemplate;
  senderRule: SenderRule;
}

/** POST /messages */
export function sendMessageEndpoint({ acceptMessages, applyTemplate }: SendDeps): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/messages',
    operation: 'sendMessage',
    summary: 'Send one message',
    access: { scope: 'email', phi: true },
    audit: 'message.accepted',
    body: Type.Object({ data: Type.Object({ message: MessageBody, ...HandlingBody.properties }) }),
    bodyLimit: LARGEST_BODY,
    idempotent: true,
    reply: Accepted,
    async handle({ act, caller, body: { data }, idempotency }) {
      const read = readMessage(data.message, data);
      const choice = readTemplateChoice(data, data.message);
      const message = choice === null ? read : await applyTemplate(act.customerId, read, choice);
      const once = idempotency === null ? null : { claim: idempotency, bodyOf: onlyOne };
      return onlyOne(await acceptMessages(act, caller, [message], once));
    },
  });
}

/** The reply for the one message of a request. */
export function onlyOne(accepted: AcceptedMessage[]): AcceptedMessage {
  return accepted[0] as AcceptedMessage;
}
