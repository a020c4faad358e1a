import { BLANK_FORM, createForm } from '../../src/forms/index.ts';
import type { TestApp } from './app.ts';

type NewForm = Parameters<typeof createForm>[2];

/** A form of a customer, made the product's own way: active, unless it is to be otherwise. */
export function addForm(app: TestApp, customerId: number, wanted: Partial<NewForm> = {}): Promise<string> {
  const { db, clock } = app.installation;
  const act = app.act(customerId, 'form.created');
  const form = { ...BLANK_FORM, title: 'Intake', active: true, ...wanted };
  return db.tenant([customerId], (tx) => createForm(tx, { clock, act }, form));
}
