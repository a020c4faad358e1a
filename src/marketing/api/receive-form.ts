import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, missingField } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { canonicalUuid, isUuid } from '../../platform/ids.ts';
import { tellDrips } from '../drip/tell-drips.ts';
import { requireOwnList } from '../lists/require-own-list.ts';
import { readSubscriber } from '../subscribers/read-subscriber.ts';
import { findSubscribersAt } from '../subscribers/subscribers-at.ts';
import { upsertSubscriber } from '../subscribers/upsert.ts';
import { hasSubscription } from '../subscriptions/has-subscription.ts';
import type { MarketingDeps } from './deps.ts';

const Text = Type.Union([Type.String(), Type.Null()]);
const Values = Type.Record(Type.String(), Type.Unknown());

const FormBody = Type.Object({
  form_id: Type.String({ description: 'A form that feeds a list' }),
  email: Type.Optional(Text),
  first_name: Type.Optional(Text),
  last_name: Type.Optional(Text),
  custom_fields: Type.Optional(
    Type.Union([Type.Array(Values), Values, Type.Null()], {
      description: '{name: value}, [{name: value}] or [{name, value}]',
    }),
  ),
});

/** POST /webhooks/receive_paubox_form: somebody filled in a form that is shown elsewhere. */
export function receiveFormEndpoint({ db, vault, clock, idempotency, requireOwn }: MarketingDeps): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/webhooks/receive_paubox_form',
    operation: 'receiveForm',
    summary: 'Put whoever filled in a form on the list that the form feeds',
    access: { scope: 'marketing', phi: true },
    audit: 'subscriber.saved',
    body: FormBody,
    idempotent: true,
    reply: Type.Object({ success: Type.Boolean() }),
    async handle({ act, body, idempotency: claim }) {
      const { customerId } = act;
      const wanted = readFiller(body);
      const { email = '' } = wanted;
      const keys = await vault.of(customerId);
      return db.tenant([customerId], async (tx) => {
        const listId = await listOfForm(tx, requireOwn, customerId, body.form_id);
        if (await hasSubscription(tx, { customerId, listId, email })) {
          throw unfit('email', 'is on the list of this form already, or has left it');
        }
        const filler = (await isKnown(tx, customerId, email)) ? { email, customFields: new Map() } : wanted;
        const { id } = await upsertSubscriber(tx, { clock, keys, act }, filler, listId);
        const formId = canonicalUuid(body.form_id);
        await tellDrips(tx, { customerId, kind: 'form_submitted', subject: formId, people: [id], at: clock.now() });
        const reply = { success: true };
        await idempotency.keepWith(tx, claim, { status: 200, body: reply });
        return reply;
      });
    },
  });
}

/** Whoever filled in the form, who has to have left an address. */
function readFiller({ email, first_name, last_name, custom_fields: given }: Static<typeof FormBody>) {
  if ((email ?? '').trim() === '') throw unfit('email', 'is required');
  const customFields = Array.isArray(given) ? given : [given ?? {}];
  const names = { first_name: first_name ?? null, last_name: last_name ?? null };
  return readSubscriber({ email: email ?? null, ...names, custom_fields: customFields }, '');
}

/** Whether somebody has an address. What a form says, which anybody may have filled in, changes nothing of them. */
async function isKnown(tx: Tx, customerId: number, email: string): Promise<boolean> {
  return (await findSubscribersAt(tx, customerId, [email])).length > 0;
}

async function listOfForm(tx: Tx, requireOwn: OwnershipCheck, customerId: number, id: string): Promise<number> {
  const missing = missingField('form_id', 'no such form, or it feeds no list');
  if (!isUuid(id)) throw missing;
  await requireOwn(tx, customerId, sql<number | null>`(select customer_id from find_form_list(${id}))`, missing);
  const { rows } = await sql<{ listId: number | null }>`
    select subscription_list_id as "listId" from find_form_list(${id})`.execute(tx);
  const listId = rows[0]?.listId ?? null;
  if (listId === null) throw missing;
  await requireOwnList(tx, requireOwn, customerId, listId, 'form_id');
  return listId;
}

function unfit(field: string, rule: string): AppError {
  return new AppError('unprocessable', `${field} ${rule}`, { fields: { [field]: [rule] } });
}
