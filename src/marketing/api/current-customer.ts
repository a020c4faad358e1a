import { Type } from 'typebox';
import { customerName } from '../../accounts/index.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { MarketingDeps } from './deps.ts';

/** GET /current_customer */
export function currentCustomerEndpoint({ db }: MarketingDeps): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/current_customer',
    operation: 'readCurrentCustomer',
    summary: 'The customer that the key belongs to',
    access: { scope: 'marketing' },
    audit: null,
    reply: Type.Object({
      data: Type.Object({
        id: Type.String(),
        type: Type.Literal('customer'),
        attributes: Type.Object({ name: Type.String() }),
      }),
    }),
    handle: async ({ caller: { customerId } }) => {
      const name = await db.tenant([customerId], (tx) => customerName(tx, customerId));
      return { data: { id: String(customerId), type: 'customer' as const, attributes: { name } } };
    },
  });
}
