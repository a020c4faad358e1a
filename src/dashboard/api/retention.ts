import { type Static, Type } from 'typebox';
import { readCustomer, updateCustomer } from '../../accounts/index.ts';
import { EXPORT_DAYS } from '../../marketing/index.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { DashboardDeps } from '../deps.ts';

const FormDays = Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()], {
  description: 'how long submissions of a new form are kept; null is until somebody removes them',
});

const RetentionReply = Type.Object({
  message_content_days: Type.Integer({ description: 'set by the operator' }),
  sandbox_days: Type.Integer({ description: 'set by the operator' }),
  backup_days: Type.Integer({ description: 'set by the operator' }),
  export_days: Type.Integer({ description: 'the same for everybody' }),
  audit_log_days: Type.Null({ description: 'the audit log is never removed' }),
  form_default_days: FormDays,
});

/** How long things are kept. */
export function retentionEndpoints({ db, clock, retention }: DashboardDeps): Endpoint[] {
  const read = async (tx: Tx, customerId: number): Promise<Static<typeof RetentionReply>> => ({
    message_content_days: retention.contentDays,
    sandbox_days: retention.sandboxDays,
    backup_days: retention.backupDays,
    export_days: EXPORT_DAYS,
    audit_log_days: null,
    form_default_days: (await readCustomer(tx, customerId)).formRetentionDays,
  });
  return [
    endpoint({
      method: 'GET',
      path: '/retention',
      operation: 'readRetention',
      summary: 'How long messages, submissions, exports and the audit log are kept',
      access: { scope: 'people', role: 'admin' },
      audit: null,
      reply: RetentionReply,
      handle: ({ act: { customerId } }) => db.tenant([customerId], (tx) => read(tx, customerId)),
    }),
    endpoint({
      method: 'PUT',
      path: '/retention',
      operation: 'setRetention',
      summary: 'Set how long submissions of new forms are kept; forms that are there keep what they have',
      access: { scope: 'people', role: 'admin' },
      audit: 'customer.retention-set',
      body: Type.Object({ form_default_days: FormDays }),
      reply: RetentionReply,
      handle: ({ act, body }) =>
        db.tenant([act.customerId], async (tx) => {
          await updateCustomer(tx, clock, act, { form_retention_days: body.form_default_days });
          return read(tx, act.customerId);
        }),
    }),
  ];
}
