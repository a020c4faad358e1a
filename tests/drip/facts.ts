import type { TestApp, TestCustomer } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';

/** What a drip wants to be told, and whether people enter by it. */
export type Interest = [kind: string, subject: string, enters?: 'enters'];

/** A drip that is under way and waits for some things to happen; answers its id. */
export function addInterestedDrip(app: TestApp, { id }: TestCustomer, ...interests: Interest[]): Promise<number> {
  return asOwner(app, async (client) => {
    const { rows } = await client.query(
      `insert into drip_campaigns (customer_id, name, subscription_list_id, start_trigger, reentry, time_zone, state, mode,
         version, created_at, updated_at)
       values ($1, 'Welcome', 1, 'manual', 'never', 'UTC', 'running', 'live', 1, now(), now()) returning id::int`,
      [id],
    );
    for (const [kind, subject, enters] of interests) {
      const values = [rows[0].id, kind, subject, enters === 'enters', id];
      await client.query('insert into drip_interests values ($1, $2, $3, $4, $5)', values);
    }
    return rows[0].id;
  });
}

/** Takes away what the drips of a customer were told, as an engine would: the kind, the subject, and whom it is about. */
export async function takeFacts(app: TestApp, { id }: TestCustomer): Promise<string[]> {
  const { rows } = await asOwner(app, (client) =>
    client.query(
      `with taken as (delete from drip_facts where customer_id = $1 returning *)
       select t.id, concat_ws(' ', t.kind, t.drip_id, t.subject, split_part(s.email, '@', 1)) as fact
       from taken t left join subscribers s on s.id = t.subscriber_id order by t.id`,
      [id],
    ),
  );
  return rows.map(({ fact }) => fact as string);
}

/** Does something while no change of a column is taken, and then lets it go on. */
export async function whileRefusing<T>(
  app: TestApp,
  table: string,
  column: string,
  work: () => Promise<T>,
): Promise<T> {
  await asOwner(app, (client) =>
    client.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
       create trigger refused after update of ${column} on ${table} for each row execute function refuse()`,
    ),
  );
  try {
    return await work();
  } finally {
    await asOwner(app, (client) => client.query('drop function refuse() cascade'));
  }
}
