import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { createGroupCommit } from '../../platform/db/group-commit.ts';
import { canonicalUuid, isUuid } from '../../platform/ids.ts';
import { momentText } from '../../platform/moment-text.ts';
import type { Heading } from './heading.ts';
import { type PageRow, type PageSettings, toPageSettings } from './page-settings.ts';

/** A form that anybody may fill in, as far as a submission needs it. */
export interface PublicForm {
  id: string;
  customerId: number;
  version: number;
  recipient: string | null;
  type: string | null;
  subscriptionListId: number | null;
  heading: Heading;
  page: PageSettings;
}

/** The form of an id; null where it is not public, for whatever reason. */
export type FindPublicForm = (id: string) => Promise<PublicForm | null>;

interface Row {
  id: string;
  customer_id: number;
  version: number;
  recipient: string | null;
  type: string | null;
  subscription_list_id: number | null;
  title: string;
  description: string | null;
  page: PageRow | null;
}

// One column in place of nine: the driver looks at the kind of each in every answer.
const FIND = 'select row_to_json(f) as form from find_open_forms($1::uuid[], $2::date) f';

/**
 * Looks forms up for those who have nothing but an id. A form that is closed is closed with the next request, so
 * nothing is cached; those who ask at the same time share a query.
 */
export function createFindPublicForm({ db, clock }: { db: Database; clock: Clock }): FindPublicForm {
  const lookUp = createGroupCommit<string, PublicForm | null>({
    commit: async (ids) => {
      const today = momentText(clock.now()).slice(0, 10);
      const values = [[...new Set(ids)], today];
      const rows = await db.call<{ form: Row }>({ name: 'find-open-forms', text: FIND, values });
      const found = new Map(rows.map(({ form }) => [form.id, describe(form)]));
      return ids.map((id) => found.get(id) ?? null);
    },
    sizeOf: () => 1,
  });
  return async (id) => (isUuid(id) ? lookUp(canonicalUuid(id)) : null);
}

function describe(row: Row): PublicForm {
  const { id, version, recipient, type } = row;
  return {
    id,
    customerId: row.customer_id,
    version,
    recipient,
    type,
    subscriptionListId: row.subscription_list_id,
    heading: { title: row.title, description: row.description },
    page: toPageSettings(row.page),
  };
}
