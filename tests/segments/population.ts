import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import type { Client } from '../../src/platform/db/pool.ts';
import { CUSTOM, DATES, type Ids, NUMBERS, TEXTS } from './arbitraries.ts';
import type { Person } from './evaluate.ts';

/** Where the custom fields of a customer stand in the rows of its people, by the names in conditions. */
export type FieldNumbers = Record<string, number>;

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const text = maybe(fc.constantFrom(...TEXTS, ''));
const moment = fc
  .integer({ min: Date.parse('2025-10-01'), max: Date.parse('2026-11-15T12:00:00Z') })
  .map((time) => new Date(time).toISOString());

const VALUES: Record<string, string[]> = {
  text: TEXTS,
  number: [...NUMBERS, 'none'],
  date: [...DATES, '2025-02-29', 'never'],
  yes_no: ['true', 'false', 'Yes', 'n', 'maybe'],
};

/** Somebody, whatever is known of them. */
export function personWith({ lists, mailings }: Ids): fc.Arbitrary<Person> {
  const own = Object.fromEntries(
    Object.entries(CUSTOM).map(([name, kind]) => [name, fc.constantFrom(...(VALUES[kind] as string[]))]),
  );
  return fc.record(
    {
      id: fc.constant('').map(() => randomUUID()),
      email: maybe(fc.constantFrom(...TEXTS).map((domain) => `${randomUUID()}"a@b"@${domain}`)),
      phone_number: fc.constant('').map(() => `+49${randomUUID()}`),
      first_name: text,
      last_name: text,
      time_zone: text,
      created_at: moment,
      updated_at: moment,
      unsubscribed: fc.boolean(),
      custom: fc.record(own, { requiredKeys: [], noNullPrototype: true }),
      lists: fc.uniqueArray(fc.record({ id: fc.constantFrom(...lists), active: fc.boolean() }), {
        selector: ({ id }) => id,
      }),
      mailed: fc.array(
        fc.record({
          mailing: fc.constantFrom(...mailings),
          delivered_at: maybe(moment),
          opened_at: maybe(moment),
          clicked_at: maybe(moment),
        }),
        { maxLength: 2 },
      ),
    },
    { noNullPrototype: true },
  ) as fc.Arbitrary<Person>;
}

/** Makes these the only people of a customer. */
export async function writePeople(
  client: Client,
  customerId: number,
  people: Person[],
  numbers: FieldNumbers,
): Promise<void> {
  const rows = people.map((person) => ({
    ...person,
    fields: Object.fromEntries(Object.entries(person.custom).map(([name, value]) => [numbers[name], value])),
    lists: person.lists.map((list) => ({ ...list, row: randomUUID() })),
    mailed: person.mailed.map((mail) => ({ ...mail, row: randomUUID() })),
  }));
  for (const table of ['subscribers', 'subscriptions', 'mailing_recipients', 'mailing_engagement']) {
    await client.query(`delete from ${table} where customer_id = $1`, [customerId]);
  }
  const of = 'from jsonb_array_elements($2::jsonb) p';
  const write = (statement: string) => client.query(statement, [customerId, JSON.stringify(rows)]);
  await write(`insert into subscribers (id, customer_id, email, phone_number, first_name, last_name, time_zone, fields,
      unsubscribed_at, created_at, updated_at)
    select (p->>'id')::uuid, $1::int, p->>'email', p->>'phone_number', p->>'first_name', p->>'last_name', p->>'time_zone',
      p->'fields', case when (p->>'unsubscribed')::boolean then now() end, (p->>'created_at')::timestamptz,
      (p->>'updated_at')::timestamptz ${of}`);
  await write(`insert into subscriptions (id, customer_id, subscription_list_id, subscriber_id, created_at, active)
    select (l->>'row')::uuid, $1::int, (l->>'id')::bigint, (p->>'id')::uuid, now(), (l->>'active')::boolean
    ${of}, jsonb_array_elements(p->'lists') l`);
  await write(`insert into mailing_recipients (id, customer_id, send_id, mailing_id, subscriber_id, domain, state, settled_at)
    select (m->>'row')::uuid, $1::int, 1, (m->>'mailing')::bigint, (p->>'id')::uuid, '',
      case when m->>'delivered_at' is null then 'hard_bounced' else 'delivered' end,
      coalesce((m->>'delivered_at')::timestamptz, now()) ${of}, jsonb_array_elements(p->'mailed') m`);
  await write(`insert into mailing_engagement (id, customer_id, send_id, mailing_id, subscriber_id, machine_opens,
      machine_clicks, first_opened_at, first_clicked_at)
    select (m->>'row')::uuid, $1::int, 1, (m->>'mailing')::bigint, (p->>'id')::uuid, 1, 1,
      (m->>'opened_at')::timestamptz, (m->>'clicked_at')::timestamptz ${of}, jsonb_array_elements(p->'mailed') m`);
}
