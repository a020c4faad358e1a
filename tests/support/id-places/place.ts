import { randomUUID } from 'node:crypto';
import type { Reply, TestApp } from '../app.ts';
import type { Owner } from '../owner.ts';

export type Wanted = 400 | 403 | 404 | 'empty';

/** One place of an operation where an id can stand. */
export interface Place {
  /** The name of the parameter or of the property in the body. */
  name: string;
  ask(app: TestApp, asker: Owner, id: string): Promise<Reply>;
  /** Another customer's ids. */
  foreign(owner: Owner): string[];
  whenForeign: Wanted;
  unknown: string[];
  whenUnknown: Wanted;
}

export const message = {
  recipients: ['someone@example.net'],
  headers: { from: 'clinic@example.net', subject: 'Hello' },
};
export const inADay = () => new Date(Date.now() + 24 * 3600_000).toISOString();

export const NO_NUMBER = ['999999', '0', '2147483648', '9'.repeat(30), '-1', '1.5', 'malformed', randomUUID()];
/** What names no subscriber, neither by UUID nor by number. */
export const NO_SUBSCRIBER = [randomUUID(), 'malformed', '999999', '0', '-1', '9'.repeat(30)];
export const NO_UUID = [randomUUID(), 'malformed', '1', randomUUID().slice(1), '%00'];

/** A UUID as clients write it. */
export const spellings = (id: string) => [id, id.toUpperCase(), id.replaceAll('-', '')];

type Path = (id: string, asker: Owner) => string;

/** An id in the path, or in the query, of an operation. */
export function inPath(
  call: string,
  path: Path,
  { foreign, unknown, body, name = 'id' }: Pick<Place, 'foreign' | 'unknown'> & { body?: object; name?: string },
): Place {
  return {
    name,
    ask: (app, asker, id) => app.request(call, path(id, asker), { key: asker.key, ...(body && { body }) }),
    foreign,
    whenForeign: 403,
    unknown,
    whenUnknown: 404,
  };
}

/** An id in the path of an operation that is for people alone. */
export function inSession(
  call: string,
  path: Path,
  { foreign, unknown, body, name = 'id' }: Pick<Place, 'foreign' | 'unknown'> & { body?: object; name?: string },
): Place {
  return {
    name,
    // The session is the same at every app that shares the database.
    ask: (app, asker, id) => {
      const { cookie, csrf } = asker.person;
      const headers = { cookie, 'x-csrf-token': csrf };
      return app.request(call, path(id, asker), { headers, ...(body && { body }) });
    },
    foreign,
    whenForeign: 403,
    unknown,
    whenUnknown: 404,
  };
}

export function inboxOf(name: string, pathTo: (to: string) => string): Place {
  return {
    name,
    ask: (app, { key }, to) => app.request('GET', pathTo(encodeURIComponent(to)), { key }),
    foreign: ({ recipient }) => [recipient],
    whenForeign: 'empty',
    unknown: ['nobody@example.net'],
    whenUnknown: 'empty',
  };
}
