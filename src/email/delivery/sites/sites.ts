import type { Clock } from '../../../platform/clock.ts';
import type { Fullness } from '../queue/feed.ts';
import { Site } from './site.ts';

const MOST_KEPT = 10_000;
const MOST_OF_A_DOMAIN = 128;

/** The sites that mail goes to, each once whatever domains lead to it. */
export interface Sites extends Fullness {
  /** The site of a set of servers, by their names, to which a domain leads. */
  of(name: string, domain: string): Site;
  /** Turns away whoever waits anywhere. */
  halt(reason: Error): void;
  close(): void;
}

/** Builds the register of sites; those that are not in use are forgotten when there are too many. */
export function createSites({ clock }: { clock: Clock }): Sites {
  const sites = new Map<string, Site>();
  const siteOf = new Map<string, Site>();

  function forgetUnused(): void {
    const now = clock.now();
    for (const [name, site] of sites) if (site.isUnused(now)) sites.delete(name);
    const kept = new Set(sites.values());
    for (const [domain, site] of siteOf) if (!kept.has(site)) siteOf.delete(domain);
  }

  return {
    mostOfADomain: MOST_OF_A_DOMAIN,
    of(name, domain) {
      if (siteOf.size >= MOST_KEPT) forgetUnused();
      const site = sites.get(name) ?? new Site();
      sites.set(name, site);
      siteOf.set(domain, site);
      return site;
    },
    full: () => [...siteOf].flatMap(([domain, site]) => (site.isFull ? [domain] : [])),
    hasRoomFor: (domain) => siteOf.get(domain)?.isHungry ?? true,
    halt(reason) {
      for (const site of sites.values()) site.halt(reason);
    },
    close() {
      for (const site of sites.values()) site.close();
    },
  };
}
