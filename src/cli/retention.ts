import { overrideAuditRetention, retentionOf } from '../accounts/index.ts';
import { type Command, knownCustomer, operatorAct, required, UsageError, withInstallation } from './command.ts';

export const retentionShow: Command = {
  name: 'retention show',
  usage: '--customer ID',
  about: 'how long records of a customer are kept',
  options: { customer: { type: 'string' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = await knownCustomer(installation, invocation);
      const { retention } = installation.config;
      const times = await installation.db.tenant([customerId], (tx) => retentionOf(tx, customerId, retention));
      const { contentDays, sandboxDays, logDays, webhookDays, workDays, marketingDays, auditYears } = times;
      const json = {
        content_days: contentDays,
        sandbox_days: sandboxDays,
        log_days: logDays,
        webhook_days: webhookDays,
        work_days: workDays,
        marketing_days: marketingDays,
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
    withInstallation(invocation.config, async (installation) => {
      const { db, clock } = installation;
      const customerId = await knownCustomer(installation, invocation);
      const years = Number(required(invocation, 'audit-years'));
      if (!Number.isInteger(years) || years < 1) throw new UsageError('--audit-years takes a whole number of years');
      const reason = required(invocation, 'reason');
      const act = operatorAct(customerId, 'retention.overridden');
      await db.tenant([customerId], (tx) => overrideAuditRetention(tx, { clock, act }, { years, reason }));
      return { json: { id: customerId, audit_years: years }, text: `The audit log is kept for ${years} years.` };
    }),
};
