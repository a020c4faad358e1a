import { type Static, Type } from 'typebox';
import { AppError } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { AcceptedMessage, AcceptMessages } from '../submission/accept.ts';
import { MessageBody, readMessage, TemplateId } from '../submission/read-message.ts';

/** 50 MB of attachments as base64, and what stands around them. */
const LARGEST_BODY = 100 * 2 ** 20;

const SendBody = Type.Object({
  data: Type.Object({
    message: MessageBody,
    template_id: Type.Optional(TemplateId),
  }),
});

const Accepted = Type.Object({
  sourceTrackingId: Type.String({ format: 'uuid' }),
  customHeaders: Type.Record(Type.String(), Type.String()),
  data: Type.Literal('Service OK'),
});

/** POST /messages */
export function sendMessageEndpoint({ acceptMessages }: { acceptMessages: AcceptMessages }): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/messages',
    operation: 'sendMessage',
    summary: 'Send one message',
    access: { scope: 'email', phi: true },
    audit: 'message.accepted',
    body: SendBody,
    bodyLimit: LARGEST_BODY,
    idempotent: true,
    reply: Accepted,
    async handle({ act, caller, body, idempotency }) {
      const { message, template_id: templateId } = body.data;
      if (isGiven(templateId) || isGiven(message.template_id)) {
        throw new AppError('not_found', 'template_id: no such template');
      }
      const once = idempotency === null ? null : { claim: idempotency, bodyOf: ([accepted]: unknown[]) => accepted };
      const [accepted] = await acceptMessages(act, caller, [readMessage(message)], once);
      return accepted as AcceptedMessage;
    },
  });
}

function isGiven(templateId: Static<typeof TemplateId> | undefined): boolean {
  return typeof templateId === 'number' || (typeof templateId === 'string' && templateId !== '');
}
