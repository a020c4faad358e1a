import { domainOf } from './address.ts';

/** The Message-ID of a message: stable, so that a receiver can recognise a second copy. */
export function messageIdOf(id: string, from: string): string {
  return `<${id}@${domainOf(from)}>`;
}
