import { moment, ofEachTenant, type ReadSection } from '../section.ts';

/** Legal holds: what must not be destroyed, since when. Why, and whom they are about, stands sealed in the product. */
export const holds: ReadSection = async (sources) => ({
  name: 'legal-holds',
  title: 'Legal holds',
  about: 'Every hold, in force or released. The reasons, and the people that holds are about, are in the product.',
  columns: ['customer', 'id', 'keeps', 'target', 'set', 'set_by', 'released'],
  rows: await ofEachTenant(sources, async (tx, customerId) => {
    const found = await tx
      .selectFrom('legal_holds')
      .select(['id', 'kind', 'target', 'set_at', 'set_by_kind', 'released_at'])
      .where('customer_id', '=', customerId)
      .orderBy('id')
      .execute();
    return found.map((hold) => ({
      id: hold.id,
      keeps: hold.kind,
      target: hold.target,
      set: moment(hold.set_at),
      set_by: hold.set_by_kind,
      released: moment(hold.released_at),
    }));
  }),
});
