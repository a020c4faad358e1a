import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { hashSecret } from '../../platform/secret.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import type { PublicForm } from '../definition/public-forms.ts';
import type { PageState } from '../page/state.ts';
import '../tables.ts';

/** What a draft holds. */
export interface DraftContent {
  state: PageState;
  /** The name of the submission to be, so that it is taken once however often the draft is taken up. */
  once: string;
  /** The token of the single-use link that the form was opened by. */
  link: string | null;
  /** Where the way back was mailed to, once somebody has said. */
  address: string | null;
}

/** A form that is not sent yet. */
export interface Draft extends DraftContent {
  id: string;
  customerId: number;
  formId: string;
  expiresAt: Date;
}

export interface DraftDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
}

/** What somebody does with a draft: `public` until they have shown a code that was mailed to them. */
export function actOn(
  { customerId, id }: Pick<Draft, 'customerId' | 'id'>,
  kind: 'public' | 'recipient',
  action: string,
  requestId: string,
): Act {
  return { customerId, actor: { kind, id }, action, requestId };
}

/** Whether somebody may go on with a form later. Where the browser encrypts, nobody here may have the answers. */
export function isResumable({ page }: PublicForm): boolean {
  return page.resumable && page.sealedTo.length === 0;
}

/** The draft of a link that was mailed; null where there is none, or none any more. */
export function findByToken(deps: DraftDeps, form: PublicForm, token: string): Promise<Draft | null> {
  return find(deps, form, 'token_hash', token);
}

/** The draft that a page has open; null where another page has taken it up since. */
export function findHeld(deps: DraftDeps, form: PublicForm, held: string): Promise<Draft | null> {
  return find(deps, form, 'held_hash', held);
}

async function find(
  { db, vault, clock }: DraftDeps,
  form: PublicForm,
  by: 'token_hash' | 'held_hash',
  secret: string,
): Promise<Draft | null> {
  const hash = hashSecret(secret);
  if (hash === null || !isResumable(form)) return null;
  const { customerId, id: formId } = form;
  const row = await db.tenant([customerId], (tx) =>
    tx
      .selectFrom('form_drafts')
      .select(['id', 'sealed', 'expires_at'])
      .where('customer_id', '=', customerId)
      .where('form_id', '=', formId)
      .where(by, '=', hash)
      .where('expires_at', '>', clock.now())
      .executeTakeFirst(),
  );
  if (row === undefined) return null;
  const content = openDraft(await vault.of(customerId), row.id, row.sealed);
  return { ...content, id: row.id, customerId, formId, expiresAt: row.expires_at };
}

export function sealDraft(keys: CustomerVault, id: string, { state, once, link, address }: DraftContent): Buffer {
  return keys.seal(placeOf(id), JSON.stringify({ state, once, link, address }));
}

function openDraft(keys: CustomerVault, id: string, sealed: Buffer): DraftContent {
  return JSON.parse(keys.open(placeOf(id), sealed).toString()) as DraftContent;
}

function placeOf(id: string) {
  return { table: 'form_drafts', row: id, column: 'sealed' };
}

/** By what the drafts of a submission are found. */
export function onceIndex(keys: CustomerVault, once: string): Buffer {
  return keys.blindIndex('draft once', once);
}

/** Lets one transaction at a time count and write at a draft; false where it is gone. */
export async function holdDraft(tx: Tx, { customerId, id }: Pick<Draft, 'customerId' | 'id'>): Promise<boolean> {
  const row = await tx
    .selectFrom('form_drafts')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
