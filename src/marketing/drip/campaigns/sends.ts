import { type RawBuilder, sql } from 'kysely';
import { parseAddress, type SenderRule } from '../../../email/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { unguessableId } from '../../../platform/ids.ts';
import { readTracking } from '../../mailings/sending/tracking.ts';
import type { EmailNode } from '../graph/graph.ts';
import { stepFault } from './bind.ts';
import type { Drip } from './drip.ts';
import type { Version } from './version.ts';
import '../../tables.ts';

/** Makes the sends that the steps of a version mail by, where they are not there yet. */
export async function makeSends(
  tx: Tx,
  { clock, senderRule }: { clock: Clock; senderRule: SenderRule },
  drip: Drip,
  version: Version,
): Promise<void> {
  const steps = version.graph.nodes.filter((node) => node.type === 'email');
  if (steps.length === 0) return;
  const senderOf = await sendersOf(tx, drip, version, steps);
  for (const step of steps) await requireSender(tx, senderRule, drip, step.id, senderOf(step).sender_email);
  const tracking = await readTracking(tx, drip.customer_id);
  const now = clock.now();
  const made = await tx
    .insertInto('campaign_mailing_sends')
    .values(
      steps.map((step) => ({
        jid: unguessableId(),
        customer_id: drip.customer_id,
        mailing_id: Number(step.campaign_mailing_id),
        version: versionAt(version, step),
        state: drip.state === 'paused' ? 'paused' : 'scheduled',
        mode: drip.mode,
        subscription_list_id: drip.subscription_list_id,
        ...senderOf(step),
        subject: step.subject ?? null,
        ...tracking,
        send_at: now,
        audience_complete: true,
        drip_id: drip.id,
        drip_version: version.version,
        drip_step: step.id,
        created_at: now,
        updated_at: now,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['drip_id', 'drip_version', 'drip_step']).where('drip_id', 'is not', null).doNothing(),
    )
    .returning('id')
    .execute();
  if (made.length === 0) return;
  await tx
    .insertInto('send_counts')
    .values(made.map(({ id }) => ({ send_id: id, customer_id: drip.customer_id })))
    .execute();
}

/** Throws unless what a drip still has to mail may leave from where it is from. */
export async function requireSenders(tx: Tx, senderRule: SenderRule, drip: Drip): Promise<void> {
  await requireSendersWhere(tx, senderRule, drip, sql`state = 'paused'`);
}

/** Throws unless what whoever enters a drip now is mailed may leave from where it is from. */
export async function requireSendersToNewcomers(tx: Tx, senderRule: SenderRule, drip: Drip): Promise<void> {
  const { live_version: live, trial_version: trial } = drip;
  await requireSendersWhere(tx, senderRule, drip, sql`drip_version in (${live}, ${trial})`);
}

async function requireSendersWhere(
  tx: Tx,
  senderRule: SenderRule,
  drip: Drip,
  isMeant: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql<{ drip_step: string; sender_email: string }>`
    select drip_step, sender_email from campaign_mailing_sends
    where customer_id = ${drip.customer_id} and drip_id = ${drip.id} and ${isMeant}`.execute(tx);
  for (const { drip_step: step, sender_email: address } of rows)
    await requireSender(tx, senderRule, drip, step, address);
}

async function requireSender(tx: Tx, senderRule: SenderRule, drip: Drip, step: string, address: string): Promise<void> {
  const refusal = await senderRule.refusal(tx, drip.customer_id, drip.mode, address);
  if (refusal !== null) throw stepFault('unprocessable', step, `sender: ${refusal}`);
}

interface Sender {
  sender_email: string;
  from_name: string | null;
  reply_to: string | null;
}

/** As whom each step mails: as the drip says, or else the mailing in the version that is sent. */
async function sendersOf(
  tx: Tx,
  drip: Drip,
  version: Version,
  steps: EmailNode[],
): Promise<(step: EmailNode) => Sender> {
  const ids = steps.map((step) => Number(step.campaign_mailing_id));
  const versions = steps.map((step) => versionAt(version, step));
  const { rows } = await sql<{ key: string; from_address: string | null; reply_to: string | null }>`
    select v.mailing_id || '/' || v.version as key, v.from_address, v.reply_to from mailing_versions v
    join campaign_mailings m on m.customer_id = v.customer_id and m.id = v.mailing_id
    where v.customer_id = ${drip.customer_id} and m.deleted_at is null
      and (v.mailing_id, v.version) in (select * from unnest(${ids}::bigint[], ${versions}::int[]))`.execute(tx);
  const mailings = new Map(rows.map((row) => [row.key, row]));
  return (step) => {
    const mailing = mailings.get(`${step.campaign_mailing_id}/${versionAt(version, step)}`);
    if (mailing === undefined) throw stepFault('conflict', step.id, 'its mailing is gone');
    const from = parseAddress(mailing.from_address ?? '');
    const senderEmail = drip.sender_email ?? from?.address ?? null;
    if (senderEmail === null) {
      throw stepFault('unprocessable', step.id, 'its mailing says not from whom it is, and sender_email is empty');
    }
    return {
      sender_email: senderEmail,
      from_name: drip.from_name ?? from?.name ?? null,
      reply_to: drip.reply_to ?? mailing.reply_to,
    };
  };
}

function versionAt({ bound }: Version, { id }: EmailNode): number {
  return bound[id]?.mailing_version as number;
}
