import { Type } from 'typebox';
import { readCustomer, updateCustomer } from '../../accounts/index.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { DashboardDeps } from '../deps.ts';
import { ATTENTION_KINDS, readAttention } from '../home/attention.ts';
import { readChecklist } from '../home/checklist.ts';
import { readBounceShares, readSevenDays } from '../home/seven-days.ts';
import { signedIn } from '../signed-in.ts';
import { NumberOrNull } from './reply-parts.ts';

const Counts = Type.Array(Type.Integer());

const HomeReply = Type.Object({
  attention: Type.Array(
    Type.Object({
      kind: Type.Enum([...ATTENTION_KINDS]),
      severity: Type.Enum(['error', 'warning', 'info']),
      subject: Type.String(),
      count: NumberOrNull,
      where: Type.String({ description: 'the path in the dashboard, after /app' }),
    }),
  ),
  days: Type.Object({
    days: Type.Array(Type.String({ format: 'date' })),
    messages: Counts,
    delivered: Counts,
    bounced: Counts,
    submissions: Counts,
    subscribers: Counts,
    drip_mails: Counts,
  }),
  checklist: Type.Object({
    agreement: Type.Boolean(),
    factor: Type.Boolean(),
    key: Type.Boolean(),
    domain: Type.Boolean(),
    first_message: Type.Boolean(),
    first_form: Type.Boolean(),
    first_submission: Type.Boolean(),
    first_subscriber: Type.Boolean(),
    first_drip: Type.Boolean(),
    dismissed: Type.Boolean(),
  }),
});

/** What the first page of the dashboard shows. */
export function homeEndpoints({ db, clock, delivery }: DashboardDeps): Endpoint[] {
  const sandbox = delivery === 'sandbox';
  return [
    endpoint({
      method: 'GET',
      path: '/home',
      operation: 'readHome',
      summary: 'What needs attention, the last seven days, and the steps of the first day',
      access: { scope: 'people', role: 'reader' },
      audit: null,
      reply: HomeReply,
      handle: ({ act: { customerId }, caller }) =>
        db.tenant([customerId], async (tx) => {
          const { userId } = signedIn(caller).person;
          const today = clock.now().toISOString().slice(0, 10);
          const bounces = await readBounceShares(tx, clock, customerId);
          const { dripMails, ...days } = await readSevenDays(tx, clock, customerId);
          const { checklistDismissedAt } = await readCustomer(tx, customerId);
          return {
            attention: await readAttention({ tx, clock, customerId, sandbox, bounces }),
            days: { ...days, drip_mails: dripMails },
            checklist: {
              ...(await readChecklist(tx, { customerId, userId, today })),
              dismissed: checklistDismissedAt !== null,
            },
          };
        }),
    }),
    endpoint({
      method: 'POST',
      path: '/home/checklist/dismiss',
      operation: 'dismissChecklist',
      summary: 'Hide the steps of the first day, for everybody',
      access: { scope: 'people', role: 'admin' },
      audit: 'customer.checklist-dismissed',
      reply: Type.Object({}),
      async handle({ act }) {
        const change = { checklist_dismissed_at: clock.now() };
        await db.tenant([act.customerId], (tx) => updateCustomer(tx, clock, act, change));
        return {};
      },
    }),
  ];
}
