import { sql } from 'kysely';
import '../../destroy-customer/tables.ts';
import { moment, ofEachTenant, type ReadSection } from '../section.ts';

/** What was destroyed in the period, each with its certificate. */
export const destructions: ReadSection = async (sources) => ({
  name: 'destructions',
  title: 'Destructions',
  about: 'Submissions and keys that were destroyed in the period. The certificates are in the product, by their ids.',
  columns: ['customer', 'at', 'what', 'certificate', 'form', 'submissions', 'reason', 'backups_expire_on'],
  rows: await ofEachTenant(sources, async (tx, customerId) => {
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
