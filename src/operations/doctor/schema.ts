import { pendingMigrations } from '../../platform/db/migrate.ts';
import { type Check, failed, ok, warning } from './check.ts';

// A backup by this version is refused while they wait.
const BACK_UP_FIRST = 'run carepost migrate, once there is a backup made by the version before';

/** Whether the database fits this version of the product. */
export const schema: Check = {
  name: 'schema',
  needs: 'database',
  async look({ ownerUrl }) {
    try {
      const pending = await pendingMigrations(ownerUrl);
      if (pending.length === 0) return [ok('the database has every migration of this version')];
      return [warning(`${pending.length} migration(s) wait`, BACK_UP_FIRST)];
    } catch (error) {
      return [failed((error as Error).message, 'run the version that the database belongs to')];
    }
  },
};
