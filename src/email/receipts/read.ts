import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { type MessageReport, readReports } from '../bounces/message-reports.ts';
import { type Attempt, readAttempts, type TlsEvidence } from '../log/attempts.ts';
import { messageNotFound, requireOwnMessage } from '../message-owner.ts';
import { messageIdOf } from '../submission/message-id.ts';
import { openEnvelope } from '../submission/sealed-message.ts';
import { readLinks } from '../tracking/links.ts';
import { deliveryStatus, receiptTime } from './status.ts';
import '../tables.ts';

export interface ReceiptDelivery {
  recipient: string;
  status: { deliveryStatus: string; deliveryTime?: string; openedStatus?: string; openedTime?: string };
  attempts: number;
  smtpResponse?: string;
  tls?: TlsEvidence;
}

export interface Receipt {
  id: string;
  message_deliveries: ReceiptDelivery[];
  template?: { id: number; version: number };
  total_opens?: number;
  distinct_opens?: number;
  machine_opens?: number;
  total_click_count?: number;
  clicks_per_link?: { target_url: string; click_count: number }[];
  unsubscribed?: boolean;
}

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
  requireOwn: OwnershipCheck;
}

/** What became of a message, recipient by recipient; what its reader did is told where it had just one. */
export async function readReceipt({ db, vault, clock, requireOwn }: Deps, act: Act, id: string): Promise<Receipt> {
  const { customerId } = act;
  const keys = await vault.of(customerId);
  return db.snapshot([customerId], async (tx) => {
    await requireOwnMessage(tx, requireOwn, customerId, id);
    const message = await tx
      .selectFrom('messages')
      .select(['id', 'envelope'])
      .where('customer_id', '=', customerId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (message === undefined) throw messageNotFound(id);
    const envelope = openEnvelope(keys, message.id, message.envelope);
    const attempts = await readAttempts(tx, keys, customerId, message.id);
    const reports = await readReports(tx, keys, customerId, message.id);
    const standings = await tx
      .selectFrom('message_recipients')
      .select(['ordinal', 'state', 'portal', 'attempts', 'settled_at'])
      .where('customer_id', '=', customerId)
      .where('message_id', '=', id)
      .orderBy('ordinal')
      .execute();
    const deliveries = standings.map((standing) => ({
      recipient: envelope.recipients[standing.ordinal]?.address ?? '',
      ...describeDelivery(
        standing,
        attempts.filter(({ ordinal }) => ordinal === standing.ordinal),
        reports.filter(({ ordinal }) => ordinal === standing.ordinal),
      ),
    }));
    await recordAct(tx, clock, act, { target: message.id });
    const { template } = envelope.handling;
    const receipt = {
      id: messageIdOf(message.id, envelope.from.address),
      message_deliveries: deliveries,
      ...(template === null ? {} : { template }),
    };
    const [only] = deliveries;
    if (deliveries.length !== 1 || only === undefined) return receipt;
    const { opened, ...engagement } = await readEngagement(tx, keys, customerId, message.id);
    return { ...receipt, message_deliveries: [{ ...only, status: { ...only.status, ...opened } }], ...engagement };
  });
}

const TAKEN_BACK = 'cancelled: the message was taken back before it left';

interface StandingRow {
  state: 'queued' | 'noticed' | 'delivered' | 'bounced' | 'cancelled';
  portal: boolean;
  attempts: number;
  settled_at: Date | null;
}

function describeDelivery(
  { state, portal, attempts: count, settled_at: settledAt }: StandingRow,
  attempts: Attempt[],
  reports: MessageReport[],
) {
  const ended = attempts.filter(({ outcome }) => outcome !== null);
  const last = ended.at(-1);
  const lastReply = last?.smtpResponse ?? null;
  const said = state === 'cancelled' ? TAKEN_BACK : (newestWords(last, reports) ?? lastReply);
  const deferred = last?.outcome === 'deferred';
  return {
    status: {
      deliveryStatus: deliveryStatus({ state, portal, lastReply, deferred }),
      ...(settledAt === null || state === 'cancelled' || state === 'noticed'
        ? {}
        : { deliveryTime: receiptTime(settledAt) }),
    },
    attempts: count,
    ...(said === null ? {} : { smtpResponse: said }),
    ...(last === undefined || last.tls === null ? {} : { tls: last.tls }),
  };
}

/** What was reported since the last attempt began: a server may report on mail before its answer is written down. */
function newestWords(last: Attempt | undefined, reports: MessageReport[]): string | null {
  const attemptedAt = last?.startedAt.getTime() ?? 0;
  const counted = reports.filter(({ effect }) => effect !== 'none');
  return counted.findLast(({ receivedAt }) => receivedAt.getTime() >= attemptedAt)?.words ?? null;
}

async function readEngagement(tx: Tx, keys: CustomerVault, customerId: number, messageId: string) {
  const ofMessage = { customer_id: customerId, message_id: messageId };
  const seen = await tx
    .selectFrom('message_engagement')
    .selectAll()
    .where((eb) => eb.and(ofMessage))
    .executeTakeFirst();
  const clicks = await tx
    .selectFrom('link_clicks')
    .select(['link', 'clicks'])
    .where((eb) => eb.and(ofMessage))
    .execute();
  const targets = await readLinks(tx, keys, customerId, messageId);
  const clicksOf = new Map(clicks.map(({ link, clicks: count }) => [link, count]));
  const firstOpenedAt = seen?.first_opened_at ?? null;
  return {
    opened:
      firstOpenedAt === null
        ? { openedStatus: 'not opened' }
        : { openedStatus: 'opened', openedTime: receiptTime(firstOpenedAt) },
    total_opens: seen?.opens ?? 0,
    distinct_opens: firstOpenedAt === null ? 0 : 1,
    machine_opens: seen?.machine_opens ?? 0,
    total_click_count: seen?.clicks ?? 0,
    clicks_per_link: targets.map((target, link) => ({ target_url: target, click_count: clicksOf.get(link) ?? 0 })),
    unsubscribed: (seen?.unsubscribed_at ?? null) !== null,
  };
}
