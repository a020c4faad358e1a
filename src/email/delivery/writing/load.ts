import type { SealedBlobs } from '../../../platform/blob/sealed-blobs.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { Content } from '../../submission/content-frame.ts';
import { type Envelope, openContent, openEnvelope } from '../../submission/sealed-message.ts';
import { type Reason, STOPS_ALL_MAIL } from '../../suppressions/reason.ts';
import { DEFAULT_TRACKING, type TrackingSettings } from '../../tracking/track.ts';

/** A message of which the envelope is open; the content may be large and is opened when its turn comes. */
export interface OpenedMessage {
  id: string;
  customerId: number;
  /** What it is dated, at every attempt: when its sender meant it to leave, or when it was accepted. */
  createdAt: Date;
  envelope: Envelope;
  /** Opens the content, which is read anew where it was opened before. */
  openContent(): Promise<Content>;
  tracking: TrackingSettings;
}

interface Deps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
}

export interface StoredMessage {
  id: string;
  customer_id: number;
  mode: 'live' | 'test';
  from_address: string;
  created_at: Date;
  scheduled_at: Date | null;
  envelope: Buffer;
  sealed: Buffer;
  /** How large the files are that belong to the content and do not stand in it. */
  file_bytes: number;
  open_tracking: boolean | null;
  link_tracking: boolean | null;
  /** The recipients that get no mail, and why. */
  suppressed: { ordinal: number; reason: Reason }[];
}

const OPENED = Buffer.alloc(0);

const READ = 'select * from read_leased($1, $2, $3)';

/** Reads leased messages, still sealed, showing the transaction just the customers they belong to. */
export async function readStored(
  db: Database,
  messages: { id: string; customerId: number }[],
): Promise<StoredMessage[]> {
  const customers = [...new Set(messages.map((message) => message.customerId))];
  const ids = messages.map((message) => message.id);
  return db.call<StoredMessage>({ name: 'read-leased', text: READ, values: [customers, ids, STOPS_ALL_MAIL] });
}

/** Opens a stored message. */
export async function openMessage({ db, vault, blobs }: Deps, stored: StoredMessage): Promise<OpenedMessage> {
  const { id, customer_id: customerId } = stored;
  const keys = await vault.of(customerId);
  return {
    id,
    customerId,
    createdAt: stored.scheduled_at ?? stored.created_at,
    envelope: openEnvelope(keys, id, stored.envelope),
    async openContent() {
      const { sealed } = stored.sealed === OPENED ? await readAgain(db, stored) : stored;
      stored.sealed = OPENED; // it would be kept for as long as the peer takes
      return openContent({ keys, blobs }, customerId, id, sealed);
    },
    tracking: {
      openTracking: stored.open_tracking ?? DEFAULT_TRACKING.openTracking,
      linkTracking: stored.link_tracking ?? DEFAULT_TRACKING.linkTracking,
    },
  };
}

/** Whether a stored message is one that its recipient has asked for. */
export async function isAskedFor(
  vault: Vault,
  { id, customer_id: customerId, envelope }: StoredMessage,
): Promise<boolean> {
  return openEnvelope(await vault.of(customerId), id, envelope).handling.asked === true;
}

async function readAgain(db: Database, { id, customer_id: customerId }: StoredMessage): Promise<StoredMessage> {
  const [stored] = await readStored(db, [{ id, customerId }]);
  if (stored === undefined) throw new Error('the message is no longer there');
  return stored;
}
