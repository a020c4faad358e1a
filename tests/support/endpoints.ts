import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestApp, TestCustomer } from './app.ts';

interface Area {
  bases: string[];
  /** The keys of its error body. */
  errorKeys: string[];
  /** The status of what fails validation. */
  invalidStatus: 400 | 422;
}

/** Where each area answers, the canonical base first, and how it refuses. */
export const AREAS = {
  email: {
    bases: ['/v1/email', '/v1', '/v1/{username}', '/emailapi/v1/{username}'],
    errorKeys: ['errors'],
    invalidStatus: 400,
  },
  webhooks: { bases: ['/v1/webhooks'], errorKeys: ['message'], invalidStatus: 422 },
  forms: {
    bases: ['/v1/forms', '/forms', ''],
    errorKeys: ['message', 'detail', 'error', 'errors'],
    invalidStatus: 400,
  },
  marketing: {
    bases: ['/v1/marketing', '/marketing', '/v1/orca/{username}'],
    errorKeys: ['error', 'code', 'details'],
    invalidStatus: 400,
  },
} satisfies Record<string, Area>;

/** What the dashboard's own pages call; not an area of the interface. */
const DASHBOARD: Area = { bases: ['/app/api'], errorKeys: ['error', 'code'], invalidStatus: 400 };
const DOCUMENTED: Record<string, Area> = { ...AREAS, dashboard: DASHBOARD };

/** Whose errors hold more than those of their area. */
const ERROR_KEYS: Record<string, string[]> = { dynamic_templates: ['error', 'errors'] };

/** One operation at one of its addresses. */
export interface Endpoint {
  operation: string;
  area: string;
  method: string;
  path: string;
  canonical: boolean;
  base: string;
  /** The keys of its error body, and of the one of its address. */
  errorKeys: string[];
  areaErrorKeys: string[];
  invalidStatus: number;
  /** The status of success. */
  success: number;
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
  requestBody?: { content: { 'application/json'?: { schema: object } } };
  responses: Record<string, unknown>;
}

/** The ids to put into addresses, by name, by operation or by the first word of its path; others name nothing. */
export type PathIds = Record<string, string>;

/** Every operation in the API reference, on each base of its area. */
export async function findEndpoints(app: TestApp, customer: TestCustomer, ids: PathIds = {}): Promise<Endpoint[]> {
  const { body } = await app.request('GET', '/openapi.json');
  const endpoints: Endpoint[] = [];
  for (const [address, operations] of Object.entries<Record<string, Operation>>(body.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const [areaName = ''] = operation.tags;
      const area = DOCUMENTED[areaName];
      assert.ok(area, `${address} belongs to an area that the tests do not know`);
      const [canonical = ''] = area.bases;
      const rest = address.slice(canonical.length);
      const [, resource = ''] = rest.split('/');
      const path = rest.replace(
        /\{(\w+)\}/g,
        (_, name: string) => ids[name] ?? ids[operation.operationId] ?? ids[resource] ?? randomUUID(),
      );
      for (const base of area.bases) {
        endpoints.push({
          operation: operation.operationId,
          area: areaName,
          method: method.toUpperCase(),
          path: base.replace('{username}', customer.username) + path,
          canonical: base === canonical,
          base,
          errorKeys: ERROR_KEYS[resource] ?? area.errorKeys,
          areaErrorKeys: area.errorKeys,
          invalidStatus: area.invalidStatus,
          success: Number(Object.keys(operation.responses).find((status) => status.startsWith('2'))),
          methods: Object.keys(operations).map((each) => each.toUpperCase()),
          parameters: operation.parameters?.map(({ name }) => name) ?? [],
          schema: operation.requestBody?.content['application/json']?.schema ?? null,
        });
      }
    }
  }
  assert.ok(endpoints.length > 0);
  return endpoints;
}
