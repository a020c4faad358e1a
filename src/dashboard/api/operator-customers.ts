import { type Static, Type } from 'typebox';
import { createCustomer, requireAddress } from '../../accounts/index.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { DashboardDeps } from '../deps.ts';
import { inviteWithin, requireFreeAddress } from '../invite.ts';
import { type CustomerLine, describeCustomers } from '../operator/customers.ts';
import { Moment, MomentOrNull, momentOf } from './reply-parts.ts';

const CustomerReply = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  username: Type.String(),
  created_at: Moment,
  closed_at: MomentOrNull,
  agreement_in_force: Type.Boolean(),
  last_active_at: MomentOrNull,
  users: Type.Integer(),
  keys: Type.Integer(),
  forms: Type.Integer(),
  submissions: Type.Integer(),
  subscribers: Type.Integer(),
});

const MadeReply = Type.Object({ id: Type.Integer(), setup_url: Type.Optional(Type.String()) });

/** The customers of the installation, for whoever runs it: counts, never what they hold. */
export function operatorCustomerEndpoints(deps: DashboardDeps): Endpoint[] {
  const { db, clock, idempotency } = deps;
  return [
    endpoint({
      method: 'GET',
      path: '/operator/customers',
      operation: 'listCustomers',
      summary: 'Every customer of the installation, with counts',
      access: { scope: 'people', role: 'operator' },
      audit: null,
      reply: Type.Object({ data: Type.Array(CustomerReply) }),
      async handle() {
        return { data: (await describeCustomers(db, clock)).map(describe) };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/operator/customers',
      operation: 'createCustomer',
      summary: 'Make a customer and invite its owner, who then signs the agreement',
      access: { scope: 'people', role: 'operator', fresh: true },
      audit: 'customer.created',
      status: 201,
      body: Type.Object({
        name: Type.String({ minLength: 1, maxLength: 200 }),
        username: Type.String({ maxLength: 63 }),
        owner_email: Type.String({ maxLength: 254 }),
      }),
      idempotent: true,
      reply: MadeReply,
      async handle({ act, body, idempotency: claim }) {
        const { name, username } = body;
        const email = body.owner_email.trim();
        requireAddress('owner_email', email);
        await requireFreeAddress(deps, 'owner_email', email);
        const owner = { email, name: '', role: 'owner' };
        let reply: Static<typeof MadeReply> | undefined;
        await createCustomer(deps, act.actor, { name, username }, async (tx, id) => {
          const inviting = { ...act, customerId: id, action: 'user.invited' };
          await inviteWithin(tx, deps, inviting, owner, async (_, { setupUrl }) => {
            reply = { id, ...(setupUrl === null ? {} : { setup_url: setupUrl }) };
            await idempotency.keepWith(tx, claim, { status: 201, body: reply });
          });
        });
        deps.onAccepted();
        return reply as Static<typeof MadeReply>;
      },
    }),
  ];
}

function describe(line: CustomerLine): Static<typeof CustomerReply> {
  return {
    id: line.id,
    name: line.name,
    username: line.username,
    created_at: line.createdAt.toISOString(),
    closed_at: momentOf(line.closedAt),
    agreement_in_force: line.agreementInForce,
    last_active_at: momentOf(line.lastActiveAt),
    users: line.users,
    keys: line.keys,
    forms: line.forms,
    submissions: line.submissions,
    subscribers: line.subscribers,
  };
}
