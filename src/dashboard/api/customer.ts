import { type Static, Type } from 'typebox';
import { type CustomerDescription, readCustomer, readName, updateCustomer } from '../../accounts/index.ts';
import { invalidField } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { closeCustomer } from '../close-customer.ts';
import type { DashboardDeps } from '../deps.ts';
import { signedIn } from '../signed-in.ts';
import { Moment, MomentOrNull, momentOf } from './reply-parts.ts';

const CustomerReply = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  username: Type.String(),
  created_at: Moment,
  closed_at: MomentOrNull,
});

/** The customer itself, and the end of it. */
export function customerEndpoints(deps: DashboardDeps): Endpoint[] {
  const { db, clock } = deps;
  return [
    endpoint({
      method: 'GET',
      path: '/customer',
      operation: 'readCustomer',
      summary: 'What the customer is called',
      access: { scope: 'people', role: 'reader' },
      audit: null,
      reply: CustomerReply,
      handle: ({ act: { customerId } }) =>
        db.tenant([customerId], async (tx) => describe(await readCustomer(tx, customerId))),
    }),
    endpoint({
      method: 'PATCH',
      path: '/customer',
      operation: 'renameCustomer',
      summary: 'Change what the customer is called; its username stays',
      access: { scope: 'people', role: 'owner' },
      audit: 'customer.renamed',
      body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }) }),
      reply: CustomerReply,
      handle: ({ act, body }) =>
        db.tenant([act.customerId], async (tx) => {
          await updateCustomer(tx, clock, act, { name: readName('name', body.name) });
          return describe(await readCustomer(tx, act.customerId));
        }),
    }),
    endpoint({
      method: 'POST',
      path: '/customer/close',
      operation: 'closeCustomer',
      summary:
        'Stop everything: keys, other people, drips, sends, imports, webhooks and the agreement end; nothing is deleted',
      access: { scope: 'people', role: 'owner', fresh: true },
      audit: 'customer.closed',
      body: Type.Object({ confirm: Type.String({ maxLength: 100, description: 'the username, typed by hand' }) }),
      reply: Type.Object({
        keys: Type.Integer(),
        people: Type.Integer(),
        drips: Type.Integer(),
        sends: Type.Integer(),
        imports: Type.Integer(),
        jobs: Type.Integer({ description: 'bulk jobs and exports' }),
        scheduled: Type.Integer({ description: 'messages that waited for their time' }),
        webhooks: Type.Integer(),
      }),
      async handle({ act, caller, body }) {
        if (body.confirm !== caller.username) throw invalidField('confirm', 'takes the username of the customer');
        return closeCustomer(deps, act, signedIn(caller).person);
      },
    }),
  ];
}

function describe({ id, name, username, createdAt, closedAt }: CustomerDescription): Static<typeof CustomerReply> {
  return { id, name, username, created_at: createdAt.toISOString(), closed_at: momentOf(closedAt) };
}
