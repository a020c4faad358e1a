import type { TestContext } from 'node:test';
import { dealWithFacts } from '../../src/marketing/drip/engine/facts.ts';
import { takeTurn } from '../../src/marketing/drip/engine/lane.ts';
import { createVersions } from '../../src/marketing/drip/engine/load-version.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import type { TestApp } from '../support/app.ts';

/** The engine of the product, which does something when it is told to. */
export interface Engine {
  /** Does everything that there is to do by now; answers when there will be more. */
  settle(): Promise<Date | null>;
  /** Deals with everything that has happened, and takes nobody further. */
  dealWithFacts(): Promise<void>;
}

/** The engine on the database of an app in which nothing else drives the drips. */
export function createEngine(t: TestContext, app: TestApp, clock: Clock): Engine {
  const { ownerUrl, log, vault } = app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 2);
  t.after(() => db.close());
  const deps = {
    db,
    vault,
    clock,
    log,
    metrics: createMetrics(),
    versions: createVersions(),
    resting: new Map<number, number>(),
    onMails() {},
  };
  return {
    async settle() {
      for (;;) {
        const { done, nextAt } = await takeTurn(deps);
        if (done === 0) return nextAt;
      }
    },
    async dealWithFacts() {
      while ((await dealWithFacts(deps)) > 0);
    },
  };
}
