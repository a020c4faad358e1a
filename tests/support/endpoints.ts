import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestApp, TestCustomer } from './app.ts';

/** Where each area answers, the canonical base first, and the keys of its error body. */
export const AREAS = {
  email: { bases: ['/v1/email', '/v1', '/v1/{username}', '/emailapi/v1/{username}'], errorKeys: ['errors'] },
  forms: { bases: ['/v1/forms', '/forms', ''], errorKeys: ['message', 'detail', 'error', 'errors'] },
  marketing: { bases: ['/v1/marketing', '/marketing', '/v1/orca/{username}'], errorKeys: ['error', 'code', 'details'] },
};

/** What the dashboard's own pages call; not an area of the interface. */
const DASHBOARD = { bases: ['/app/api'], errorKeys: ['error'] };
const DOCUMENTED: Record<string, { bases: string[]; errorKeys: string[] }> = { ...AREAS, dashboard: DASHBOARD };

/** One operation at one of its addresses. */
export interface Endpoint {
  operation: string;
  method: string;
  path: string;
  canonical: boolean;
  errorKeys: string[];
  /** The methods that its address has. */
  methods: string[];
  parameters: string[];
  /** The schema of its body in the API reference. */
  schema: object | null;
}

interface Operation {
  operationId: string;
  tags: string[];
  parameters?: { name: string }[];
  requestBody?: { content: { 'application/json': { schema: object } } };
}

/** Every operation in the API reference, on each base of its area. */
export async function findEndpoints(app: TestApp, customer: TestCustomer): Promise<Endpoint[]> {
  const { body } = await app.request('GET', '/openapi.json');
  const endpoints: Endpoint[] = [];
  for (const [address, operations] of Object.entries<Record<string, Operation>>(body.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const area = DOCUMENTED[operation.tags[0] ?? ''];
      assert.ok(area, `${address} belongs to an area that the tests do not know`);
      const [canonical = ''] = area.bases;
      const path = address.slice(canonical.length).replace(/\{\w+\}/g, randomUUID());
      for (const base of area.bases) {
        endpoints.push({
          operation: operation.operationId,
          method: method.toUpperCase(),
          path: base.replace('{username}', customer.username) + path,
          canonical: base === canonical,
          errorKeys: area.errorKeys,
          methods: Object.keys(operations).map((each) => each.toUpperCase()),
          parameters: operation.parameters?.map(({ name }) => name) ?? [],
          schema: operation.requestBody?.content['application/json'].schema ?? null,
        });
      }
    }
  }
  assert.ok(endpoints.length > 0);
  return endpoints;
}
