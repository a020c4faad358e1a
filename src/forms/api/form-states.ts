import { Type } from 'typebox';
import { requireNotHeld } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Tx } from '../../platform/db/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { isUuid } from '../../platform/ids.ts';
import { BLANK_FORM, createForm } from '../definition/create.ts';
import { type Form, findForm, formNotFound, lockForm } from '../definition/form.ts';
import { readTitle } from '../definition/read-form.ts';
import { readRetention, setRetention } from '../definition/retention.ts';
import { setFlags } from '../definition/update.ts';
import { copyPageSettings } from '../gate/store-page.ts';
import { describeForm, FormReply } from './form-reply.ts';
import type { FormsDeps } from './forms.ts';

const Detail = Type.Object({ detail: Type.String() });
const Id = Type.Object({ id: Type.String() });
const Retention = Type.Object({
  retention_days: Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()]),
});

/** What happens to a form as a whole: copied, archived and brought back, deleted, emptied after a time. */
export function formStateEndpoints({ db, clock, idempotency, requireOwn }: FormsDeps): Endpoint[] {
  /** Does something with a form of the caller that nobody else changes meanwhile. */
  async function withForm(act: Act, id: string, work: (tx: Tx, form: Form) => Promise<void>): Promise<void> {
    await db.tenant([act.customerId], async (tx) => work(tx, await lockForm(tx, requireOwn, act.customerId, id)));
  }

  return [
    endpoint({
      method: 'DELETE',
      path: '/api/forms/:id',
      operation: 'deleteForm',
      summary: 'Delete a form; the public sees it no more',
      access: { scope: 'forms', role: 'admin' },
      audit: 'form.deleted',
      params: Id,
      reply: Detail,
      async handle({ act, params }) {
        await withForm(act, params.id, async (tx, { id }) => {
          await requireNotHeld(tx, act.customerId, { objects: [id] });
          await setFlags(tx, { clock, act }, id, { deleted: true });
        });
        return { detail: 'Form deleted.' };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/forms/:id/archive',
      operation: 'archiveForm',
      summary: 'Put a form aside; it becomes inactive',
      access: { scope: 'forms' },
      audit: 'form.archived',
      params: Id,
      reply: Detail,
      async handle({ act, params }) {
        const flags = { archived: true, active: false };
        await withForm(act, params.id, (tx, { id }) => setFlags(tx, { clock, act }, id, flags));
        return { detail: 'Form archived.' };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/forms/:id/unarchive',
      operation: 'unarchiveForm',
      summary: 'Take a form up again; it stays inactive',
      access: { scope: 'forms' },
      audit: 'form.unarchived',
      params: Id,
      reply: Detail,
      async handle({ act, params }) {
        await withForm(act, params.id, (tx, { id }) => setFlags(tx, { clock, act }, id, { archived: false }));
        return { detail: 'Form unarchived.' };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/:id/retention',
      operation: 'readFormRetention',
      summary: 'How many days submissions are kept; null for ever',
      access: { scope: 'forms' },
      audit: null,
      params: Id,
      reply: Retention,
      handle: async ({ caller: { customerId }, params }) =>
        db.tenant([customerId], async (tx) => {
          const { id } = await findForm(tx, requireOwn, customerId, params.id);
          return { retention_days: await readRetention(tx, customerId, id) };
        }),
    }),
    endpoint({
      method: 'PUT',
      path: '/api/forms/:id/retention',
      operation: 'updateFormRetention',
      summary: 'Keep submissions for some days, then destroy them; null keeps them for ever',
      access: { scope: 'forms', role: 'admin', fresh: true },
      audit: 'form.retention-set',
      params: Id,
      body: Retention,
      reply: Retention,
      async handle({ act, params, body }) {
        await withForm(act, params.id, (tx, { id }) => setRetention(tx, { clock, act }, id, body.retention_days));
        return body;
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/forms/copy',
      operation: 'copyForm',
      summary: 'Make an inactive form like another one',
      access: { scope: 'forms' },
      audit: 'form.copied',
      body: Type.Object({ form_id: Type.String(), title: Type.String({ maxLength: 500 }) }),
      idempotent: true,
      reply: FormReply,
      async handle({ act, body, idempotency: claim }) {
        const title = readTitle(body.title);
        if (body.form_id.trim() === '') throw invalidField('form_id', 'must not be empty');
        if (!isUuid(body.form_id)) throw formNotFound();
        return db.tenant([act.customerId], async (tx) => {
          const source = await findForm(tx, requireOwn, act.customerId, body.form_id);
          const retention = await readRetention(tx, act.customerId, source.id);
          const id = await createForm(tx, { clock, act }, { ...copyOf(source), title, retention_days: retention });
          await copyPageSettings(tx, { clock, customerId: act.customerId }, { from: source.id, to: id });
          const reply = describeForm(await findForm(tx, requireOwn, act.customerId, id));
          await idempotency.keepWith(tx, claim, { status: 200, body: reply });
          return reply;
        });
      },
    }),
  ];
}

/** What a copy takes over besides how the form stands open: what it is and does, not its address or its past. */
function copyOf(form: Form) {
  return {
    ...BLANK_FORM,
    description: form.description,
    form_html: form.form_html,
    form_json: form.form_json,
    form_css: form.form_css,
    recipient: form.recipient,
    signable: form.signable,
    signature_confirmation_label: form.signature_confirmation_label,
    type: form.type,
    subscription_list_id: form.subscription_list_id,
  };
}
