import { sql } from 'kysely';
import '../../destroy-customer/tables.ts';
import { moment, ofEachCustomer, type ReadSection } from '../section.ts';

/** What was destroyed in the period, each with its certificate. */
export const destructions: ReadSection = async (sources) => ({
  name: 'destructions',
  title: 'Destructions',
  about: 'Submissions and keys that were destroyed in the period. The certificates are in the product, by their ids.',
  columns: ['customer', 'at', 'what', 'certificate', 'form', 'submissions', 'reason', 'backups_expire_on'],
  rows: await ofEachCustomer(sources, async (tx, customerId) => {
    const { from, to } = sources.period;
    const submissions = await tx
      .selectFrom('destructions')
      .select(['id', 'form_id', 'submission_count', 'reason', 'at'])
      .where('customer_id', '=', customerId)
      .where('at', '>=', from)
      .where('at', '<', to)
      .orderBy('id')
      .execute();
    const keys = await tx
      .selectFrom('key_destructions')
      .select(['destroyed_at', 'destroyed_by', sql<string | null>`backups_expire_on::text`.as('expiry')])
      .where('customer_id', '=', customerId)
      .where('destroyed_at', '>=', from)
      .where('destroyed_at', '<', to)
      .execute();
    const whole = await tx
      .selectFrom('customer_destructions')
      .select(['id', 'began_at', 'began_by_kind', 'began_by'])
      .where('customer_id', '=', customerId)
      .where('began_at', '>=', from)
      .where('began_at', '<', to)
      .execute();
    return [
      ...whole.map((each) => ({
        at: moment(each.began_at),
        what: 'everything of the customer',
        certificate: each.id,
        form: null,
        submissions: null,
        reason: `by ${each.began_by_kind} ${each.began_by}`,
        backups_expire_on: null,
      })),
      ...submissions.map((each) => ({
        at: moment(each.at),
        what: 'submissions',
        certificate: each.id,
        form: each.form_id,
        submissions: each.submission_count,
        reason: each.reason as string,
        backups_expire_on: null,
      })),
      ...keys.map((each) => ({
        at: moment(each.destroyed_at),
        what: 'all keys of the customer',
        certificate: null,
        form: null,
        submissions: null,
        reason: `by ${each.destroyed_by}`,
        backups_expire_on: each.expiry,
      })),
    ];
  }),
});

/** How long things are kept. */
export const retention: ReadSection = async (sources) => ({
  name: 'retention',
  title: 'Retention',
  about: 'For how many days submissions are kept, by form; without a number they are kept until somebody deletes them.',
  columns: ['customer', 'form', 'days', 'default_for_new_forms'],
  rows: await ofEachCustomer(sources, async (tx, customerId) => {
    const { rows } = await sql<{ form: string; days: number | null; default_for_new_forms: number | null }>`
      select f.id::text as form, f.retention_days as days, c.form_retention_days as default_for_new_forms
      from customers c join forms f on f.customer_id = c.id and f.deleted = false
      where c.id = ${customerId} order by f.id`.execute(tx);
    return rows;
  }),
});
