import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TSchema } from 'typebox';
import type { Act } from '../act.ts';
import type { AppError } from '../errors.ts';
import type { Access, Caller } from './access.ts';
import type { BodyForm } from './body/form-body.ts';
import type { IdempotencyClaim } from './idempotency.ts';

/** One call of an endpoint that needs no key, checked and read. */
export interface PublicCall<Params, Query, Body> {
  requestId: string;
  /** What stands in the path. */
  params: Params;
  query: Query;
  body: Body;
  headers: IncomingHttpHeaders;
  /** The address that the call came from, which is stored nowhere. */
  ip: string;
  /** Adds a header to the answer, whatever it will be. */
  setHeader(name: string, value: string): void;
}

/** One call of an endpoint by the holder of a key. */
export interface Call<Params, Query, Body> extends PublicCall<Params, Query, Body> {
  caller: Caller;
  act: Act;
  /** Where the caller sent an Idempotency-Key: what has to be written in the transaction of the act itself. */
  idempotency: IdempotencyClaim | null;
}

interface Description<Params, Query, Body, Result> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  operation: string;
  summary: string;
  /** The action that the audit log names; null where nothing is changed and no health data is read. */
  audit: string | null;
  params?: Params;
  query?: Query;
  body?: Body;
  bodyLimit?: number;
  /** Whether the body may be left out, be null or be no JSON; it is then as good as an empty object. */
  bodyOptional?: true;
  /** What a body may come as beside JSON. */
  bodyForms?: readonly BodyForm[];
  reply: Result;
  /** The media type of the answer where it is not JSON. */
  produces?: string;
  /** The status of success; 200 where nothing is said. */
  status?: 201 | 204;
  /** How errors look here, where they look otherwise than in the rest of the area. */
  errorBody?(error: AppError): object;
}

interface Guarded<Params extends TSchema, Query extends TSchema, Body extends TSchema, Result extends TSchema>
  extends Description<Params, Query, Body, Result> {
  /** `phi` marks endpoints that take in health data: they need an agreement in force. */
  access: Access;
  idempotent?: true;
  /** Answers a repeated call by what was kept with the first, where the answer itself must not be kept. */
  answerAgain?(call: Call<Static<Params>, Static<Query>, Static<Body>>, kept: unknown): Promise<Static<Result>>;
  handle(call: Call<Static<Params>, Static<Query>, Static<Body>>): Promise<Static<Result>>;
}

interface Open<Params extends TSchema, Query extends TSchema, Body extends TSchema, Result extends TSchema>
  extends Description<Params, Query, Body, Result> {
  access: 'public';
  /** Whether pages of other sites may call it, which is safe where nobody is signed in. */
  crossOrigin?: true;
  handle(call: PublicCall<Static<Params>, Static<Query>, Static<Body>>): Promise<Static<Result>>;
}

/**
 * Everything there is to say about an endpoint. Routing, authentication, validation, the filter on
 * replies, the audit entry and the API reference all follow from it.
 */
export type GuardedEndpoint = Guarded<TSchema, TSchema, TSchema, TSchema>;
export type Endpoint = GuardedEndpoint | Open<TSchema, TSchema, TSchema, TSchema>;

/** Declares an endpoint for holders of a key, with the types of its handler inferred from its schemas. */
export function endpoint<Params extends TSchema, Query extends TSchema, Body extends TSchema, Result extends TSchema>(
  definition: Guarded<Params, Query, Body, Result>,
): Endpoint {
  return definition;
}

/** Declares an endpoint that anybody may call. */
export function publicEndpoint<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Result extends TSchema,
>(definition: Open<Params, Query, Body, Result>): Endpoint {
  return definition;
}
