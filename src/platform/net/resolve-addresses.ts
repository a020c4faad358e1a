import { Resolver } from 'node:dns/promises';

/** Gives every IPv4 and IPv6 address of a name, or throws. */
export type Resolve = (hostname: string) => Promise<string[]>;

const QUESTION_MS = 3_000;
const TRIES = 2;

/** Asks the given name servers (`address` or `address:port`), or the system's when there are none. */
export function resolveWith(servers: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: QUESTION_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0) throw new Error('the name has no address');
    return found;
  };
}
