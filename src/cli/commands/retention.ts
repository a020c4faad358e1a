import { overrideAuditRetention, retentionOf, WAY_OUT_DAYS } from '../../accounts/index.ts';
import { type Command, required, UsageError } from '../command.ts';
import { onCustomer } from '../on-customer.ts';

export const retentionShow: Command = {
  name: 'retention show',
  usage: '--customer ID',
  about: `how long records of a customer are kept; mailing_days is who got which mailing, ${WAY_OUT_DAYS} at least, so that links to unsubscribe work`,
  options: { customer: { type: 'string' } },
  run: (invocation) =>
    onCustomer(invocation, async ({ tx, customerId, installation }) => {
      const times = await retentionOf(tx, customerId, installation.config.retention);
      const { contentDays, sandboxDays, logDays, webhookDays, workDays, marketingDays, auditYears } = times;
      const json = {
        content_days: contentDays,
        sandbox_days: sandboxDays,
        log_days: logDays,
        webhook_days: webhookDays,
        work_days: workDays,
        marketing_days: marketingDays,
        mailing_days: Math.max(marketingDays, WAY_OUT_DAYS),
        audit_years: auditYears,
      };
      const lines = Object.entries(json).map(([name, value]) => `${name}\t${value}`);
      return { json, text: lines.join('\n') };
    }),
};

export const retentionOverride: Command = {
  name: 'retention override',
  usage: '--customer ID --audit-years N --reason TEXT',
  about: "keep a customer's audit log for less than six years; the reason goes to the log itself",
  options: { customer: { type: 'string' }, 'audit-years': { type: 'string' }, reason: { type: 'string' } },
  run: (invocation) =>
    onCustomer(invocation, async ({ tx, clock, customerId, act }) => {
      const years = Number(required(invocation, 'audit-years'));
      if (!Number.isInteger(years) || years < 1) throw new UsageError('--audit-years takes a whole number of years');
      const reason = required(invocation, 'reason');
      await overrideAuditRetention(tx, { clock, act: act('retention.overridden') }, { years, reason });
      return { json: { id: customerId, audit_years: years }, text: `The audit log is kept for ${years} years.` };
    }),
};
