import assert from 'node:assert/strict';
import type { Reply, TestApp, TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

export const IMPORTS = '/v1/marketing/imports';

/** What a reply tells of an import. */
export interface Told {
  id: string;
  attributes: Reply['body'];
}

export type Settings = Record<string, string>;

/** Sends a file. */
export function send(
  app: TestApp,
  { key }: TestCustomer,
  file: string | Buffer,
  settings: Settings = {},
): Promise<Reply> {
  const query = new URLSearchParams(settings).toString();
  return app.request('POST', `${IMPORTS}?${query}`, { key, headers: { 'content-type': 'text/csv' }, raw: file });
}

/** An import as it stands. */
export async function look(app: TestApp, { key }: TestCustomer, id: string): Promise<Told> {
  const { status, body } = await app.request('GET', `${IMPORTS}/${id}`, { key });
  assert.equal(status, 200);
  return body.data;
}

/** Waits until nobody works on an import any more. */
export function settled(app: TestApp, customer: TestCustomer, id: string): Promise<Told> {
  return eventually(async () => {
    const told = await look(app, customer, id);
    return ['done', 'failed', 'undone'].includes(told.attributes.state) && told;
  }, 60_000);
}

/** Sends a file and waits for what comes of it. */
export async function importFile(
  app: TestApp,
  customer: TestCustomer,
  file: string | Buffer,
  settings: Settings = {},
): Promise<Told> {
  const { status, body } = await send(app, customer, file, settings);
  assert.equal(status, 201, JSON.stringify(body));
  return settled(app, customer, body.data.id);
}

/** The counts of an import. */
export function countsOf({ attributes }: Told) {
  const { created, updated, unchanged, skipped, opted_out } = attributes;
  return { created, updated, unchanged, skipped, opted_out };
}

/** Why rows were not taken, by their lines. */
export async function rejectsOf(app: TestApp, { key }: TestCustomer, { id }: Told): Promise<Record<number, string[]>> {
  const { body } = await app.request('GET', `${IMPORTS}/${id}/rejects`, { key });
  return Object.fromEntries(body.data.map(({ line, reasons }: { line: number; reasons: string[] }) => [line, reasons]));
}

/** The people of a customer as they are stored, with custom fields by name and the lists that they are on. */
export function people(app: TestApp, { id }: TestCustomer) {
  return app.installation.db.tenant([id], async (tx) => {
    const rows = await tx
      .selectFrom('subscribers')
      .selectAll()
      .where('customer_id', '=', id)
      .orderBy('email')
      .execute();
    const types = await tx.selectFrom('custom_field_types').select(['number', 'name']).execute();
    const names = new Map(types.map(({ number, name }) => [String(number), name]));
    const subscriptions = await tx.selectFrom('subscriptions').selectAll().where('customer_id', '=', id).execute();
    return rows.map((row) => ({
      ...row,
      custom: Object.fromEntries(Object.entries(row.fields).map(([number, value]) => [names.get(number), value])),
      subscriptions: subscriptions.filter((each) => each.subscriber_id === row.id),
    }));
  });
}

/** A list of a customer. */
export async function createList(app: TestApp, { id }: TestCustomer, more: { double_opt_in?: boolean } = {}) {
  const now = new Date();
  const values = { customer_id: id, name: 'Some', is_default: false, created_at: now, updated_at: now, ...more };
  const { id: listId } = await app.installation.db.tenant([id], (tx) =>
    tx.insertInto('subscription_lists').values(values).returning('id').executeTakeFirstOrThrow(),
  );
  return listId;
}
