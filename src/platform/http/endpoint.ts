import type { Static, TSchema } from 'typebox';
import type { Act } from '../act.ts';
import type { Caller, Scope } from './access.ts';
import type { IdempotencyClaim } from './idempotency.ts';

/** One call of an endpoint that needs no key, checked and read. */
export interface PublicCall<Query, Body> {
  requestId: string;
  query: Query;
  body: Body;
}

/** One call of an endpoint by the holder of a key. */
export interface Call<Query, Body> extends PublicCall<Query, Body> {
  caller: Caller;
  act: Act;
  /** Where the caller sent an Idempotency-Key: what has to be written in the transaction of the act itself. */
  idempotency: IdempotencyClaim | null;
}

interface Description<Query extends TSchema, Body extends TSchema, Result extends TSchema> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  operation: string;
  summary: string;
  /** The action that the audit log names; null where nothing is changed and no health data is read. */
  audit: string | null;
  query?: Query;
  body?: Body;
  bodyLimit?: number;
  reply: Result;
}

interface Guarded<Query extends TSchema, Body extends TSchema, Result extends TSchema>
  extends Description<Query, Body, Result> {
  /** `phi` marks endpoints that take in health data: they need an agreement in force. */
  access: { scope: Scope; phi?: true };
  idempotent?: true;
  handle(call: Call<Static<Query>, Static<Body>>): Promise<Static<Result>>;
}

interface Open<Query extends TSchema, Body extends TSchema, Result extends TSchema>
  extends Description<Query, Body, Result> {
  access: 'public';
  handle(call: PublicCall<Static<Query>, Static<Body>>): Promise<Static<Result>>;
}

/**
 * Everything there is to say about an endpoint. Routing, authentication, validation, the filter on
 * replies, the audit entry and the API reference all follow from it.
 */
export type GuardedEndpoint = Guarded<TSchema, TSchema, TSchema>;
export type Endpoint = GuardedEndpoint | Open<TSchema, TSchema, TSchema>;

/** Declares an endpoint for holders of a key, with the types of its handler inferred from its schemas. */
export function endpoint<Query extends TSchema, Body extends TSchema, Result extends TSchema>(
  definition: Guarded<Query, Body, Result>,
): Endpoint {
  return definition;
}

/** Declares an endpoint that anybody may call. */
export function publicEndpoint<Query extends TSchema, Body extends TSchema, Result extends TSchema>(
  definition: Open<Query, Body, Result>,
): Endpoint {
  return definition;
}
