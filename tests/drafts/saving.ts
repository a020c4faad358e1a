import assert from 'node:assert/strict';
import { open, type Page } from '../page/visitor.ts';
import type { TestApp, TestCustomer } from '../support/app.ts';
import type { MovableClock } from '../support/clock.ts';

export const SAVE: [string, string] = ['_go', 'save'];

/** The text of the last mail to an address. */
export async function lastMail(app: TestApp, { key }: TestCustomer, address: string): Promise<string> {
  // What is mailed after this has a later id.
  (app.installation.clock as MovableClock).advance(1);
  const { body } = await app.request('GET', `/v1/email/message_log?to=${encodeURIComponent(address)}&limit=1`, { key });
  const { sourceTrackingId: id } = body.data[0];
  const { body: whole } = await app.request('GET', `/v1/email/message_log/${id}`, { key });
  return JSON.stringify(whole.data);
}

/** The way back that was mailed last. */
export async function mailedLink(app: TestApp, customer: TestCustomer, address: string): Promise<string> {
  const mail = await lastMail(app, customer, address);
  return /\/f\/[0-9a-f-]{36}\/resume\/[\w-]{43}/.exec(mail)?.[0] ?? assert.fail('no link');
}

/** The code that was mailed last. */
export async function mailedCode(app: TestApp, customer: TestCustomer, address: string): Promise<string> {
  return /\b\d{8}\b/.exec(await lastMail(app, customer, address))?.[0] ?? assert.fail('no code');
}

/** Opens a form again by the link, with the code that is mailed for it. */
export async function resume(app: TestApp, customer: TestCustomer, link: string, address: string): Promise<Page> {
  const entrance = await open(app, link);
  assert.equal(entrance.status, 200);
  const waiting = await entrance.press(null);
  return waiting.press(null, { code: await mailedCode(app, customer, address) });
}
