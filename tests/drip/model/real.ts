import type { TestContext } from 'node:test';
import { suppressMany } from '../../../src/email/index.ts';
import { BULK_TASK } from '../../../src/marketing/bulk/bulk-job.ts';
import { openDatabase } from '../../../src/platform/db/database.ts';
import type { Client } from '../../../src/platform/db/pool.ts';
import type { Task } from '../../../src/platform/jobs/runner.ts';
import { type Marketing, marketingOf } from '../../marketing/support.ts';
import { startApp, type TestApp, type TestCustomer } from '../../support/app.ts';
import { createMovableClock, type MovableClock } from '../../support/clock.ts';
import { createTestTasks } from '../../support/tasks.ts';
import { createEngine } from '../engine.ts';

/** The product, in which nothing drives the drips but who is told to. */
export interface Product {
  app: TestApp;
  clock: MovableClock;
  /** Lets one engine, or two at once, do what there is to do. */
  settle(engines: 1 | 2): Promise<void>;
  /** Does a bulk job. */
  work(customer: TestCustomer, jobId: string): Promise<void>;
  bounce(customer: TestCustomer, email: string): Promise<void>;
}

/** The product as one customer has it. */
export interface Real extends Product {
  customer: TestCustomer;
  marketing: Marketing;
  /** Sees everything that is stored. */
  owner: Client;
}

export async function openProduct(t: TestContext): Promise<Product> {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const engines = [createEngine(t, app, clock), createEngine(t, app, clock)] as const;
  const { ownerUrl, log, vault } = app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 2);
  t.after(() => db.close());
  const tasks = await createTestTasks(app.installation, db);
  return {
    app,
    clock,
    async settle(count) {
      const [one, other] = engines;
      if (count === 2) {
        // What happened comes first: an event and the end of the time to wait for it would race each other.
        await Promise.all([one.dealWithFacts(), other.dealWithFacts()]);
        await Promise.all([one.settle(), other.settle()]);
      }
      // Who found the other at work left something to it that may have been over by then.
      await one.settle();
    },
    work: async ({ id: customerId }, jobId) => (tasks[BULK_TASK] as Task)({ customerId, jobId }),
    async bounce({ id: customerId }, email) {
      const keys = await vault.of(customerId);
      const bounced = {
        customerId,
        addresses: [email],
        reason: 'hard_bounce',
        messageId: null,
        at: clock.now(),
      } as const;
      await db.tenant([customerId], (tx) => suppressMany(tx, keys, bounced));
    },
  };
}

/** Makes a customer of the product. */
export async function asCustomer(product: Product, owner: Client): Promise<Real> {
  const customer = await product.app.createCustomer();
  return { ...product, owner, customer, marketing: marketingOf(product.app, customer) };
}
