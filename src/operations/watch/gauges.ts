import { Counter, Gauge, type Registry } from 'prom-client';
import type { StoreFailures } from '../../platform/blob/counted-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import { keepLook } from './kept-look.ts';

/** What labels a value, and the value. */
export type Measured = [labels: Record<string, string>, value: number];

/** A value without labels. */
export const one = (value: number): Measured[] => [[{}, value]];

/** What is read at once, and the gauges that show it. */
export interface View<Seen> {
  name: string;
  keptMs?: number;
  read(): Promise<Seen>;
  gauges: { name: string; help: string; labels?: string[]; of(seen: Seen): Measured[] }[];
}

/** Adds gauges that are looked at when somebody scrapes. What cannot be seen then has no line. */
export function addView<Seen>(deps: { registry: Registry; clock: Clock; log: Log }, view: View<Seen>): void {
  const look = keepLook({ ...deps, ...view }, view.read);
  for (const { name, help, labels = [], of } of view.gauges) {
    addGauge(deps.registry, { name, help, labels }, async () => {
      const seen = await look();
      return seen === null ? [] : of(seen);
    });
  }
}

/** Adds how busy the connections to the database are, by pool. */
export function addPools(registry: Registry, pools: Record<string, Database>): void {
  const connections = {
    name: 'carepost_pool_connections',
    help: 'Connections to the database by pool: in use, idle, and how many there may be',
    labels: ['pool', 'state'],
  };
  const waiting = {
    name: 'carepost_pool_waiting',
    help: 'Pieces of work that wait for a connection to the database, by pool',
    labels: ['pool'],
  };
  addGauge(registry, connections, async () =>
    Object.entries(pools).flatMap(([pool, db]): Measured[] => {
      const { inUse, idle, most } = db.load();
      return [
        [{ pool, state: 'in_use' }, inUse],
        [{ pool, state: 'idle' }, idle],
        [{ pool, state: 'most' }, most],
      ];
    }),
  );
  addGauge(registry, waiting, async () =>
    Object.entries(pools).map(([pool, db]): Measured => [{ pool }, db.load().waiting]),
  );
}

/** Adds what went wrong with the blob store in this process. */
export function addStoreFailures(registry: Registry, failures: StoreFailures): void {
  const counter = new Counter({
    name: 'carepost_blob_errors_total',
    help: 'Failures of the blob store by what was asked of it; missing is a file that should be there',
    labelNames: ['operation'],
    registers: [],
    collect() {
      this.reset();
      for (const [operation, count] of failures.counts()) this.inc({ operation }, count);
    },
  });
  registry.registerMetric(counter);
}

interface Named {
  name: string;
  help: string;
  labels: string[];
}

function addGauge(registry: Registry, { name, help, labels }: Named, measure: () => Promise<Measured[]>): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [],
    async collect() {
      const measured = await measure();
      this.reset();
      if (labels.length === 0) this.remove({}); // which a reset sets to 0
      for (const [label, value] of measured) this.set(label, value);
    },
  });
  registry.registerMetric(gauge);
}
