import type { Database } from '../../platform/db/database.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Heading } from '../definition/heading.ts';
import type { FindPublicForm, PublicForm } from '../definition/public-forms.ts';
import '../tables.ts';

const FIND = 'select find_form_by_name($1) as id';
const NAME = /^[a-z0-9-]{3,63}$/;

/** The form at an address, which is its id or its name; null where there is none that is public. */
export async function findFormAt(
  { db, findPublicForm }: { db: Database; findPublicForm: FindPublicForm },
  address: string,
): Promise<PublicForm | null> {
  if (isUuid(address)) return findPublicForm(address);
  const name = address.toLowerCase();
  if (!NAME.test(name)) return null;
  const [row] = await db.call<{ id: string | null }>({ name: 'find-form-by-name', text: FIND, values: [name] });
  return row === undefined || row.id === null ? null : findPublicForm(row.id);
}

/** How a form is headed now; only its questions have versions. */
export async function readHeading(
  { db }: { db: Database },
  { id, customerId }: Pick<PublicForm, 'id' | 'customerId'>,
): Promise<Heading> {
  return db.tenant([customerId], (tx) =>
    tx
      .selectFrom('forms')
      .select(['title', 'description'])
      .where('customer_id', '=', customerId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  );
}
