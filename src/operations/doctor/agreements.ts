import { listCustomers } from '../../accounts/index.ts';
import { openDatabase } from '../../platform/db/database.ts';
import { type Check, failed, ok } from './check.ts';

/** Whether a business associate agreement is in force for every customer. */
export const agreements: Check = {
  name: 'agreements',
  needs: 'database',
  async look({ ownerUrl, log, clock }) {
    const db = openDatabase({ ownerUrl, log }, 'app', 1);
    try {
      const today = clock.now().toISOString().slice(0, 10);
      const without: string[] = [];
      for (const { id, username } of await listCustomers(db)) {
        const row = await db.tenant([id], (tx) =>
          tx
            .selectFrom('agreements')
            .select('id')
            .where('customer_id', '=', id)
            .where('signed_on', '<=', today)
            .where((eb) => eb.or([eb('ends_on', 'is', null), eb('ends_on', '>=', today)]))
            .executeTakeFirst(),
        );
        if (row === undefined) without.push(username);
      }
      if (without.length === 0) return [ok('in force for every customer')];
      return [failed(`none in force for ${without.join(', ')}`, 'carepost agreement record')];
    } finally {
      await db.close();
    }
  },
};
