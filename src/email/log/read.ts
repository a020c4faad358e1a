import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { readReports } from '../bounces/message-reports.ts';
import { messageNotFound, requireOwnMessage } from '../message-owner.ts';
import type { Message, RecipientKind } from '../submission/message.ts';
import { type Envelope, openContent, openEnvelope } from '../submission/sealed-message.ts';
import { type Attempt, readAttempts } from './attempts.ts';
import { type LogState, stateOf } from './state.ts';
import '../tables.ts';

export interface LoggedRecipient {
  address: string;
  kind: RecipientKind;
  state: string;
  /** Whether a notice went out in place of the content. */
  portal: boolean;
  attempts: Attempt[];
}

export interface TimelineEntry {
  at: Date;
  event: string;
  recipient: string | null;
  /** What was reported, in the words of whoever did. */
  said?: string;
}

/** Everything that is known of a message. */
export interface LoggedMessage {
  sourceTrackingId: string;
  state: LogState;
  mode: 'live' | 'test';
  envelope: Envelope;
  createdAt: Date;
  /** When it is to leave, where nothing of it has begun to. */
  scheduledFor: Date | null;
  recipients: LoggedRecipient[];
  timeline: TimelineEntry[];
  /** Null once retention has removed it. */
  content: Pick<Message, 'text' | 'html' | 'attachments'> | null;
}

interface Deps {
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  clock: Clock;
  requireOwn: OwnershipCheck;
}

/** One message with its life and, while it is kept, its content. The reading is written down. */
export async function readLoggedMessage(deps: Deps, act: Act, id: string): Promise<LoggedMessage> {
  const { customerId } = act;
  const keys = await deps.vault.of(customerId);
  const { message, attempts, standings, events, reports } = await deps.db.snapshot([customerId], async (tx) => {
    await requireOwnMessage(tx, deps.requireOwn, customerId, id);
    const found = await findMessage(tx, customerId, id);
    if (found === undefined) throw messageNotFound(id);
    await recordAct(tx, deps.clock, act, { target: found.id, details: { content: found.sealed !== null } });
    return {
      message: found,
      attempts: await readAttempts(tx, keys, customerId, found.id),
      standings: await findStandings(tx, customerId, found.id),
      events: await findEvents(tx, customerId, found.id),
      reports: await readReports(tx, keys, customerId, found.id),
    };
  });
  const envelope = openEnvelope(keys, message.id, message.envelope);
  const addressOf = (ordinal: number) => envelope.recipients[ordinal]?.address ?? '';
  const content =
    message.sealed === null
      ? null
      : await openContent({ keys, blobs: deps.blobs }, customerId, message.id, message.sealed);
  return {
    sourceTrackingId: message.id,
    state: stateOf(tally(standings, deps.clock.now())),
    mode: message.mode,
    envelope,
    createdAt: message.created_at,
    scheduledFor: standings.find((standing) => waits(standing, deps.clock.now()))?.due_at ?? null,
    recipients: standings.map(({ ordinal, state, portal }) => ({
      address: addressOf(ordinal),
      kind: envelope.recipients[ordinal]?.kind ?? 'to',
      state,
      portal,
      attempts: attempts.filter((attempt) => attempt.ordinal === ordinal),
    })),
    timeline: [
      { at: message.created_at, event: 'accepted', recipient: null },
      ...events.map(({ at, name, ordinal }) => ({ at, event: name, recipient: addressOf(ordinal) })),
      ...reports.map(({ receivedAt: at, kind, words, ordinal }) => ({
        at,
        event: `reported_${kind}`,
        recipient: addressOf(ordinal),
        said: words,
      })),
    ].toSorted((one, other) => one.at.getTime() - other.at.getTime()),
    content,
  };
}

async function findMessage(tx: Tx, customerId: number, id: string) {
  return tx
    .selectFrom('messages as m')
    .leftJoin('message_contents as c', (join) =>
      join.onRef('c.id', '=', 'm.content_id').onRef('c.customer_id', '=', 'm.customer_id'),
    )
    .select(['m.id', 'm.mode', 'm.envelope', 'm.created_at', 'c.sealed'])
    .where('m.customer_id', '=', customerId)
    .where('m.id', '=', id)
    .executeTakeFirst();
}

async function findStandings(tx: Tx, customerId: number, id: string) {
  return tx
    .selectFrom('message_recipients')
    .select(['ordinal', 'state', 'portal', 'attempts', 'due_at'])
    .where('customer_id', '=', customerId)
    .where('message_id', '=', id)
    .orderBy('ordinal')
    .execute();
}

async function findEvents(tx: Tx, customerId: number, id: string) {
  return tx
    .selectFrom('message_events')
    .select(['at', 'name', 'ordinal'])
    .where('customer_id', '=', customerId)
    .where('message_id', '=', id)
    .orderBy('number')
    .execute();
}

function tally(standings: Awaited<ReturnType<typeof findStandings>>, now: Date) {
  const count = (fits: (standing: (typeof standings)[number]) => boolean) => standings.filter(fits).length;
  return {
    recipients: standings.length,
    delivered: count(({ state }) => state === 'delivered'),
    bounced: count(({ state }) => state === 'bounced'),
    cancelled: count(({ state }) => state === 'cancelled'),
    scheduled: count((standing) => waits(standing, now)),
  };
}

/** Whether the time of a recipient is still to come. */
function waits(
  { state, attempts, due_at: dueAt }: Awaited<ReturnType<typeof findStandings>>[number],
  now: Date,
): boolean {
  return state === 'queued' && attempts === 0 && dueAt !== null && dueAt > now;
}
