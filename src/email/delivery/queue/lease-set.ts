import type { Lease } from './lease.ts';

/** The leases that are under way, and how many of them are for which domain. */
export class LeaseSet {
  readonly #leases = new Set<Lease>();
  readonly #byDomain = new Map<string, number>();

  get size(): number {
    return this.#leases.size;
  }

  add(leases: readonly Lease[]): void {
    for (const lease of leases) {
      this.#leases.add(lease);
      this.#byDomain.set(lease.domain, this.of(lease.domain) + 1);
    }
  }

  remove(leases: readonly Lease[]): void {
    for (const lease of leases) {
      if (!this.#leases.delete(lease)) continue;
      const left = this.of(lease.domain) - 1;
      if (left === 0) this.#byDomain.delete(lease.domain);
      else this.#byDomain.set(lease.domain, left);
    }
  }

  /** How many are for a domain. */
  of(domain: string): number {
    return this.#byDomain.get(domain) ?? 0;
  }

  /** The domains for which there are at least so many. */
  domainsWith(least: number): string[] {
    return [...this.#byDomain].flatMap(([domain, count]) => (count >= least ? [domain] : []));
  }

  all(): Lease[] {
    return [...this.#leases];
  }
}
