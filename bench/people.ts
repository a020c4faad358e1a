import type { Installation } from './product.ts';

/** Fills the product's first customer with people on its default list, each with five fields of their own. */
export async function fillPeople(product: Installation, people: number): Promise<void> {
  await product.call('POST', '/v1/marketing/subscribers', {
    subscriber: {
      email: 'first@example.com',
      custom_fields: [{ city: 'x' }, { doctor: 'x' }, { plan: 'x' }],
    },
  });
  await product.sql(
    'carepost',
    `begin;
     set local session_replication_role = replica;
     with field as (select name, number::text from custom_field_types), new as (
       insert into subscribers (id, customer_id, email, first_name, last_name, fields, created_at, updated_at)
       select time_ordered_id(now()), c.id, 'person-' || n || '@example' || n % 50 || '.com', 'First' || n, 'Last' || n,
         (select jsonb_object_agg(number, name || ' ' || n % 1000) from field), now(), now()
       from customers c, generate_series(2, ${people}) n returning id, customer_id)
     insert into subscriptions (id, customer_id, subscription_list_id, subscriber_id, created_at, active)
     select gen_random_uuid(), new.customer_id, l.id, new.id, now(), true
     from new join subscription_lists l on l.customer_id = new.customer_id and l.is_default;
     commit; checkpoint`,
  );
  for (const table of ['subscribers', 'subscriptions']) await product.sql('carepost', `vacuum analyze ${table}`);
}

/** HTML of about so many bytes that says five things of its reader and has six links. */
export function mailingHtml(bytes: number): string {
  const links = Array.from(
    { length: 6 },
    (_, n) => `<p><a href="https://clinic.example.org/page/${n}">Read more</a></p>`,
  );
  const opening = `<html><head><title>News</title></head><body><h1>Hello {{first_name}} {{last_name}}</h1>
    <p>Your doctor {{doctor}} in {{city}} has news about {{plan}}.</p>${links.join('\n')}`;
  const filling =
    '<p style="margin:0 0 12px">Please bring your insurance card and arrive ten minutes early. Thank you.</p>\n';
  return `${opening}\n${filling.repeat(Math.ceil((bytes - opening.length) / filling.length))}</body></html>`;
}
