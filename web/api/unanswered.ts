import type { AttemptKeys } from './attempt-keys.ts';
import type { Operation } from './client.ts';

const PLACE = 'carepost-unanswered';
/** As long as the server knows a key. */
const KEPT_MS = 24 * 3600_000;
/** What another window is just doing is not told as lost. */
const PATIENCE_MS = 10_000;

/** Something that was asked for and whose answer has not come. */
export interface Unanswered {
  operation: Operation;
  user: string;
  key: string;
  at: number;
  /** Of what was asked, and of the key: it tells the same from something else, and nothing more. */
  digest: string;
  isLost: boolean;
}

/**
 * Keys that outlive the page and the session, so that what is asked for again by the same person, after signing in anew or
 * in another window, is not done twice. The browser keeps when something was asked, and nothing of what.
 */
export function createLastingKeys(operation: Operation, userOf: () => string | null): AttemptKeys {
  return {
    async take(asked) {
      const user = userOf();
      if (user === null) return crypto.randomUUID();
      const content = await digestOf(`${user} ${asked}`);
      for (const each of read()) {
        const isSame = each.operation === operation && each.user === user;
        if (isSame && each.digest === (await digestOf(`${each.key} ${content}`))) return each.key;
      }
      const key = crypto.randomUUID();
      const digest = await digestOf(`${key} ${content}`);
      write([...read(), { operation, user, key, at: Date.now(), digest, isLost: false }]);
      return key;
    },
    settle: forgetUnanswered,
    lose: (key) => write(read().map((each) => (each.key === key ? { ...each, isLost: true } : each))),
    putBack: (key) => write(read().filter((each) => each.key !== key || each.isLost)),
  };
}

/** What somebody asked for, and of which they have not learned what became of it. */
export function listUnanswered(operations: readonly Operation[], user: string): Unanswered[] {
  const latest = Date.now() - PATIENCE_MS;
  return read().filter(
    (each) => each.user === user && operations.includes(each.operation) && (each.isLost || each.at < latest),
  );
}

/** Forgets a key, as it is known what became of it. */
export function forgetUnanswered(key: string): void {
  write(read().filter((each) => each.key !== key));
}

function read(): Unanswered[] {
  const oldest = Date.now() - KEPT_MS;
  const kept = JSON.parse(localStorage.getItem(PLACE) ?? '[]') as Unanswered[];
  return kept.filter(({ at }) => at >= oldest);
}

function write(unanswered: readonly Unanswered[]): void {
  if (unanswered.length === 0) localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, JSON.stringify(unanswered));
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
