import { type Static, Type } from 'typebox';
import {
  chooseRetention,
  type RetentionChoice,
  type RetentionTimes,
  readCustomer,
  readRetentionChoice,
  retentionOf,
  updateCustomer,
  WAY_OUT_DAYS,
} from '../../accounts/index.ts';
import { EXPORT_DAYS } from '../../marketing/index.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { DashboardDeps } from '../deps.ts';

const FormDays = Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()], {
  description: 'how long submissions of a new form are kept; null is until somebody removes them',
});

const Choice = (description: string) =>
  Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()], {
    description: `${description}; null is as long as the operator says`,
  });

const CHOICES = {
  content_days: Choice('content of messages that have nothing left to deliver'),
  sandbox_days: Choice('mail in the sandbox inbox'),
  log_days: Choice('everything else that is known of a message'),
  webhook_days: Choice('deliveries of webhooks'),
  work_days: Choice('imports and bulk jobs that have ended'),
  marketing_days: Choice(
    `the history of mailings and drips, and consent of people who are gone; who got which mailing stays for ${WAY_OUT_DAYS} days at least, so that links to unsubscribe work`,
  ),
  audit_years: Choice('the audit log, six years at least'),
};

const Kept = Type.Integer();
const RetentionReply = Type.Object({
  ...CHOICES,
  operator: Type.Object({
    content_days: Kept,
    sandbox_days: Kept,
    log_days: Kept,
    webhook_days: Kept,
    work_days: Kept,
    marketing_days: Kept,
    audit_years: Kept,
  }),
  backup_days: Type.Integer({ description: 'set by the operator' }),
  export_days: Type.Integer({ description: 'the same for everybody' }),
  mailing_days: Type.Integer({
    description: `who got which mailing is kept for so long: marketing_days, but ${WAY_OUT_DAYS} days at least`,
  }),
  form_default_days: FormDays,
});

type Wire<T> = { [Name in keyof typeof CHOICES]: T };

/** How long things are kept. */
export function retentionEndpoints({ db, clock, retention }: DashboardDeps): Endpoint[] {
  const read = async (tx: Tx, customerId: number): Promise<Static<typeof RetentionReply>> => ({
    ...toWire(await readRetentionChoice(tx, customerId)),
    operator: toWire(retention),
    backup_days: retention.backupDays,
    export_days: EXPORT_DAYS,
    mailing_days: Math.max((await retentionOf(tx, customerId, retention)).marketingDays, WAY_OUT_DAYS),
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
      summary: 'Set how long things are kept, within what the operator allows; what is not named stays',
      access: { scope: 'people', role: 'admin', fresh: true },
      audit: 'customer.retention-set',
      body: Type.Partial(Type.Object({ ...CHOICES, form_default_days: FormDays })),
      reply: RetentionReply,
      handle: ({ act, body: { form_default_days: formDays, ...wire } }) =>
        db.tenant([act.customerId], async (tx) => {
          if (formDays !== undefined) await updateCustomer(tx, clock, act, { form_retention_days: formDays });
          if (Object.keys(wire).length > 0)
            await chooseRetention(tx, { clock, act, operator: retention }, fromWire(wire));
          return read(tx, act.customerId);
        }),
    }),
  ];
}

function toWire<T>(times: { [Name in keyof RetentionTimes]: T }): Wire<T> {
  return {
    content_days: times.contentDays,
    sandbox_days: times.sandboxDays,
    log_days: times.logDays,
    webhook_days: times.webhookDays,
    work_days: times.workDays,
    marketing_days: times.marketingDays,
    audit_years: times.auditYears,
  };
}

function fromWire(wire: Partial<Wire<number | null>>): Partial<RetentionChoice> {
  const named = {
    contentDays: wire.content_days,
    sandboxDays: wire.sandbox_days,
    logDays: wire.log_days,
    webhookDays: wire.webhook_days,
    workDays: wire.work_days,
    marketingDays: wire.marketing_days,
    auditYears: wire.audit_years,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}
