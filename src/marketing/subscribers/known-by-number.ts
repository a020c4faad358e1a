import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { NewSubscriber } from './read-subscriber.ts';
import '../tables.ts';

/**
 * People with the address of the one person who has their phone number, where nothing but that was sent. Where several have
 * it, or one who has no address, they stay as they are.
 */
export async function knownByNumber(
  tx: Tx,
  customerId: number,
  people: readonly NewSubscriber[],
): Promise<NewSubscriber[]> {
  const numbers = people.flatMap(({ email, phoneNumber }) =>
    email === undefined && phoneNumber !== undefined ? [phoneNumber] : [],
  );
  if (numbers.length === 0) return [...people];
  const { rows } = await sql<{ number: string; email: string }>`
    select k.number, s.email from known_by_number(${customerId}, null, ${numbers}::text[]) k
    join subscribers s on s.customer_id = ${customerId} and s.id = k.id`.execute(tx);
  const emails = new Map(rows.map(({ number, email }) => [number, email]));
  return people.map((person) => {
    const email = person.email ?? emails.get(person.phoneNumber ?? '');
    return email === undefined ? person : { ...person, email };
  });
}
