import { setTimeout as sleep } from 'node:timers/promises';
import { hasAgreement } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import { canonicalUuid, isUuid } from '../../platform/ids.ts';
import type { PublicForm } from '../definition/public-forms.ts';
import { readPageSettings } from '../gate/store-page.ts';

const FIND = 'select find_form_customer($1) as customer_id';

/** Longer than looking takes, so that the time of a refusal does not tell whether there was such a form. */
const LOOKING_MS = 50;

/** A form that is not public, as far as the repeat of a submission needs it. */
export type ClosedForm = Pick<PublicForm, 'id' | 'customerId' | 'page'>;

/** The form of an id that took a submission under this key while it was open; null for all others. */
export type FindClosedForm = (id: string, key: string | undefined) => Promise<ClosedForm | null>;

export function createFindClosedForm(deps: { db: Database; clock: Clock; idempotency: Idempotency }): FindClosedForm {
  const { db, clock, idempotency } = deps;

  async function find(wanted: string, key: string): Promise<ClosedForm | null> {
    if (!isUuid(wanted)) return null;
    const id = canonicalUuid(wanted);
    const [row] = await db.call<{ customer_id: number | null }>({ name: 'find-closed-form', text: FIND, values: [id] });
    const customerId = row?.customer_id ?? null;
    if (customerId === null) return null;
    const page = await db.tenant([customerId], async (tx) =>
      (await hasAgreement(tx, clock, customerId)) ? readPageSettings(tx, customerId, id) : null,
    );
    if (page === null || !(await idempotency.wasCarriedOut(customerId, submissionTo(id), key))) return null;
    return { id, customerId, page };
  }

  return async (id, key) => {
    if (key === undefined) return null;
    const [found] = await Promise.allSettled([find(id, key), sleep(LOOKING_MS)]);
    if (found.status === 'rejected') throw found.reason;
    return found.value;
  };
}

/** The operation that keys of submissions to a form belong to. */
export function submissionTo(formId: string): string {
  return `submitForm/${formId}`;
}
