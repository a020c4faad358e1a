import { CODE_DIGITS, LONGEST_REPLY } from './rules.ts';

type Fields = Record<string, unknown> | undefined;

/** The code that a form sent, however people space it; null where it is none. */
export function readCode(body: unknown): string | null {
  const { code } = (body as Fields) ?? {};
  const digits = typeof code === 'string' ? code.replace(/[\s-]/g, '') : '';
  return new RegExp(`^\\d{${CODE_DIGITS}}$`).test(digits) ? digits : null;
}

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
