import type { Static, TSchema } from 'typebox';
import type { Act } from '../act.ts';
import type { Access, Caller } from './access.ts';
import type { IdempotencyClaim } from './idempotency.ts';

/** One call of an endpoint, checked and read. */
export interface Call<Query, Body> {
  caller: Caller;
  act: Act;
  query: Query;
  body: Body;
  /** Where the caller sent an Idempotency-Key: what has to be written in the transaction of the act itself. */
  idempotency: IdempotencyClaim | null;
}

/**
 * Everything there is to say about an endpoint. Routing, authentication, validation, the filter on
 * replies, the audit entry and the API reference all follow from it.
 */
export interface Endpoint<
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Result extends TSchema = TSchema,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  operation: string;
  summary: string;
  access: Access;
  /** The action that the audit log names; null where nothing is changed and no health data is read. */
  audit: string | null;
  query?: Query;
  body?: Body;
  bodyLimit?: number;
  idempotent?: true;
  reply: Result;
  handle(call: Call<Static<Query>, Static<Body>>): Promise<Static<Result>>;
}

/** Declares an endpoint, with the types of its handler inferred from its schemas. */
export function endpoint<Query extends TSchema, Body extends TSchema, Result extends TSchema>(
  definition: Endpoint<Query, Body, Result>,
): Endpoint {
  return definition;
}
