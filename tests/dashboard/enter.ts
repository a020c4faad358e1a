import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Role } from '../../src/platform/http/access.ts';
import type { TestApp, TestCustomer } from '../support/app.ts';
import { type Visit, visit } from '../support/browser.ts';
import { type SignedIn, signIn } from '../support/people-session.ts';

interface Entering {
  app: TestApp;
  /** null for an operator, who belongs to nobody. */
  customer: TestCustomer | null;
  role: Role;
  path: string;
}

const WINDOW = { width: 1280, height: 1000 };

/** Opens a page of the dashboard as somebody who has signed in, and waits until it stands there. */
export async function enter(
  browser: Browser,
  { app, customer, role, path }: Entering,
  options: BrowserContextOptions = {},
): Promise<Visit & { person: SignedIn }> {
  const person = await signIn(app, customer, role);
  const [name = '', value = ''] = person.cookie.split('=');
  const place = { domain: new URL(app.url).hostname, path: '/', expires: -1, secure: false, httpOnly: true };
  const storageState = { cookies: [{ name, value, ...place, sameSite: 'Strict' as const }], origins: [] };
  const seen = await visit(browser, `${app.url}/app${path}`, { viewport: WINDOW, storageState, ...options });
  await seen.page.getByRole('heading', { level: 1 }).waitFor();
  return { ...seen, person };
}
