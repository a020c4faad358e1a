import { LONGEST_REPLY } from './rules.ts';

type Fields = Record<string, unknown> | undefined;

/** The reply that a form sent, or what is wrong with it. Lines end as people count them: as one character. */
export function readReply(body: unknown): { text: string } | { problem: string } {
  const { reply } = (body as Fields) ?? {};
  const text = typeof reply === 'string' ? reply.replaceAll('\r\n', '\n') : '';
  if (text.trim() === '') return { problem: 'The reply is empty.' };
  if (text.length > LONGEST_REPLY) {
    return { problem: `The reply is longer than ${LONGEST_REPLY.toLocaleString('en')} characters.` };
  }
  return { text };
}
