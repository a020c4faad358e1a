import type { TestContext } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { openBrowser, type Visit } from '../support/browser.ts';
import { enter } from './enter.ts';

/** A clinic whose office manager has the dashboard open. */
interface Office {
  app: TestApp;
  customer: TestCustomer;
  /** Opens a page of the dashboard in a window of its own, signed in. */
  open(path: string, options?: BrowserContextOptions): Promise<Visit>;
  /** Calls the API with the clinic's key; throws where it refuses. */
  ask(method: string, path: string, body?: object): ReturnType<TestApp['request']>;
}

/** Starts a product that delivers to its sandbox, with a browser in front of it. */
export async function openOffice(t: TestContext, role: 'admin' | 'editor' | 'reader' = 'editor'): Promise<Office> {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const customer = await app.createCustomer();
  const browser = await openBrowser(t);
  return {
    app,
    customer,
    open: (path, options = {}) => enter(browser, { app, customer, role, path }, options),
    async ask(method, path, body) {
      const reply = await app.request(method, path, { key: customer.key, ...(body === undefined ? {} : { body }) });
      if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
      return reply;
    },
  };
}
