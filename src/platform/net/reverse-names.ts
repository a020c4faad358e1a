import { Resolver } from 'node:dns/promises';

/** The names that an address is registered under; none where it has none, or where nobody answers. */
export async function reverseNames(servers: readonly string[], address: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver.reverse(address).catch(() => []);
}
