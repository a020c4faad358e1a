import { sql } from 'kysely';
import { ofEachTenant, type ReadSection } from '../section.ts';

/** How long things are kept. */
export const retention: ReadSection = async (sources) => ({
  name: 'retention',
  title: 'Retention',
  about: 'For how many days submissions are kept, by form; without a number they are kept until somebody deletes them.',
  columns: ['customer', 'form', 'days', 'default_for_new_forms'],
  rows: await ofEachTenant(sources, async (tx, customerId) => {
    const { rows } = await sql<{ form: string; days: number | null; default_for_new_forms: number | null }>`
      select f.id::text as form, f.retention_days as days, c.form_retention_days as default_for_new_forms
      from customers c join forms f on f.customer_id = c.id and f.deleted = false
      where c.id = ${customerId} order by f.id`.execute(tx);
    return rows;
  }),
});
