import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { fromValidation } from '../../platform/http/from-validation.ts';
import type { AcceptedMessage } from '../submission/accept.ts';
import type { Message } from '../submission/message.ts';
import { MessageBody, readMessage } from '../submission/read-message.ts';
import { readTemplateChoice } from '../submission/template-choice.ts';
import { Accepted, LARGEST_BODY, type SendDeps } from './messages.ts';

const MOST_MESSAGES = 50;

const checkMessage = Compile(MessageBody);

// Each message is checked by itself, so that the reply can name every one that is wrong and not just the first.
const Element = Type.Unknown({ description: 'a message as in POST /messages, unwrapped' });

/** POST /bulk_messages */
export function sendBulkEndpoint(deps: SendDeps): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/bulk_messages',
    operation: 'sendBulkMessages',
    summary: 'Send up to 50 messages, all of them or none',
    access: { scope: 'email', phi: true },
    audit: 'message.accepted',
    body: Type.Object({
      data: Type.Object({ messages: Type.Array(Element, { minItems: 1, maxItems: MOST_MESSAGES }) }),
    }),
    bodyLimit: LARGEST_BODY,
    idempotent: true,
    reply: Type.Object({ messages: Type.Array(Accepted) }),
    async handle({ act, caller, body, idempotency }) {
      const senderRule = deps.senderRule.of(caller);
      const messages = await readAll(body.data.messages, async (element) => {
        const message = await readElement(deps, act.customerId, element);
        await senderRule.requireAllowed(act.customerId, caller.mode, message.from.address);
        return message;
      });
      const once = idempotency === null ? null : { claim: idempotency, bodyOf: asReply };
      return asReply(await deps.acceptMessages(act, caller, messages, once));
    },
  });
}

function asReply(messages: AcceptedMessage[]): { messages: AcceptedMessage[] } {
  return { messages };
}

type Problem = ReturnType<typeof checkMessage.Errors>[number];

/** Of a message that is wrong in several places the first is told, in all that is wrong with it. */
async function readElement({ applyTemplate }: SendDeps, customerId: number, element: unknown): Promise<Message> {
  if (!checkMessage.Check(element)) {
    const [first, ...others] = checkMessage.Errors(element) as [Problem, ...Problem[]];
    throw fromValidation([first, ...others.filter(({ instancePath }) => instancePath === first.instancePath)]);
  }
  const body: Static<typeof MessageBody> = element;
  const message = readMessage(body);
  const choice = readTemplateChoice(body);
  return choice === null ? message : applyTemplate(customerId, message, choice);
}

/**
 * Reads every element, or throws one error that names each bad one by its index. It has one status whatever is wrong, so that
 * nobody's answer depends on the messages beside it.
 */
async function readAll(elements: unknown[], read: (element: unknown) => Promise<Message>): Promise<Message[]> {
  const messages: Message[] = [];
  const refused: { index: number; error: AppError }[] = [];
  for (const [index, element] of elements.entries()) {
    try {
      messages.push(await read(element));
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      refused.push({ index, error });
    }
  }
  if (refused.length === 0) return messages;
  const details = refused.map(({ index, error }) => `messages[${index}]: ${error.message}`).join('; ');
  const fields = Object.fromEntries(refused.map(({ index, error }) => [`messages[${index}]`, [error.message]]));
  throw new AppError('invalid_request', details, { fields });
}
