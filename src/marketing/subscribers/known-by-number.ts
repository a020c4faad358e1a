import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { NewSubscriber } from './read-subscriber.ts';
import '../tables.ts';

/**
 * People with the address of the one person who has their phone number, where nothing but that was sent. Where several have
 * it, or one who has no address, they stay as they are. The address stays theirs until the transaction ends.
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
    select k.number, s.email from (select * from known_by_number(${customerId}, null, ${numbers}::text[]) order by id) k
    cross join lateral (
      select email from subscribers
      where customer_id = ${customerId} and id = k.id and phone_number = k.number and email is not null
      for no key update) s`.execute(tx);
  const emails = new Map(rows.map(({ number, email }) => [number, email]));
  return people.map((person) => {
    const email = person.email ?? emails.get(person.phoneNumber ?? '');
    return email === undefined ? person : { ...person, email };
  });
}
