import { Type } from 'typebox';
import { invalidField } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { HandlingBody, MessageBody, readMessage } from '../submission/read-message.ts';
import { readVariables } from '../submission/template-choice.ts';
import { Accepted, LARGEST_BODY, onlyOne, type SendDeps } from './messages.ts';

const TemplatedMessage = Type.Object({
  ...MessageBody.properties,
  content: Type.Optional(Type.Unknown({ description: 'ignored' })),
});
const { template_id: _id, template_variables: _variables, ...Handling } = HandlingBody.properties;

/** POST /templated_messages */
export function sendTemplatedEndpoint({ acceptMessages, applyTemplate }: SendDeps): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/templated_messages',
    operation: 'sendTemplatedMessage',
    summary: 'Send one message rendered from a template by its name',
    access: { scope: 'email', phi: true },
    audit: 'message.accepted',
    body: Type.Object({
      data: Type.Object({
        template_name: Type.String(),
        template_values: Type.Optional(
          Type.Unknown({ description: 'an object, or the JSON text of one; the text null means none' }),
        ),
        message: TemplatedMessage,
        ...Handling,
      }),
    }),
    bodyLimit: LARGEST_BODY,
    idempotent: true,
    reply: Accepted,
    async handle({ act, caller, body: { data }, idempotency }) {
      const name = data.template_name.trim();
      if (name === '') throw invalidField('template_name', 'is required');
      const read = readMessage({ ...data.message, content: null }, data);
      const message = await applyTemplate(act.customerId, read, {
        template: { name },
        variables: readVariables('template_values', data.template_values),
      });
      const once = idempotency === null ? null : { claim: idempotency, bodyOf: onlyOne };
      return onlyOne(await acceptMessages(act, caller, [message], once));
    },
  });
}
