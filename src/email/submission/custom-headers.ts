import type { Message } from './message.ts';

/** The headers that a sender made up: what replies and events give back. */
export function customHeadersOf({ headers }: Pick<Message, 'headers'>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => /^x-/i.test(name)));
}
