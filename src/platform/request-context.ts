import { AsyncLocalStorage } from 'node:async_hooks';
import { canonicalUuid, isUuid } from './ids.ts';

const current = new AsyncLocalStorage<string>();

/** Does work on behalf of a request: every line that it logs and every side job that it asks for bears the id. */
export function onBehalfOf<T>(requestId: string, work: () => T): T {
  return current.run(requestId, work);
}

/** The id of the request that is being worked on, if any. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}

/**
 * The id that a client gives to its request, where it is a UUID. Anything else is not taken over: it could say who the
 * request is about, and would stand in every log.
 */
export function givenRequestId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && isUuid(header) ? canonicalUuid(header) : null;
}
