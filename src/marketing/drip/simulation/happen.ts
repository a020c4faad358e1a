import type { Tx } from '../../../platform/db/database.ts';
import { joinLists, leaveLists } from '../../consent/change.ts';
import { recordClick, recordOpen } from '../../tracking/engagement.ts';
import type { Drip } from '../campaigns/drip.ts';
import type { FactDeps } from '../engine/facts.ts';
import { react } from '../engine/react.ts';
import type { Happening } from '../graph/graph.ts';
import { interestIn } from '../interest.ts';
import '../../tables.ts';

/** Lets something happen to somebody as far as a drip on trial is concerned. */
export async function happen(
  tx: Tx,
  deps: FactDeps,
  drip: Drip,
  subscriberId: string,
  happening: Happening,
): Promise<void> {
  const { customer_id: customerId, id: dripId } = drip;
  if (happening.event === 'joined' || happening.event === 'left') {
    const change = { customerId, people: [subscriberId], lists: [Number(happening.subscription_list_id)] };
    const evidence = { source: 'drip' as const, details: { drip: dripId }, at: deps.clock.now() };
    if (happening.event === 'joined') await joinLists(tx, change, evidence, false);
    else await leaveLists(tx, change, evidence);
  }
  if (happening.event === 'opened' || happening.event === 'clicked') {
    await useMails(tx, deps, drip, subscriberId, happening);
  }
  await react(tx, deps, { customerId, dripId, ...interestIn(happening) }, [{ subscriber_id: subscriberId }]);
}

/** Opens the mails of a mailing that the drip on trial meant somebody to get, or follows a link in them. */
async function useMails(
  tx: Tx,
  { clock }: FactDeps,
  { customer_id: customerId, id: dripId }: Drip,
  subscriberId: string,
  { event, campaign_mailing_id: mailingId }: Happening & { event: 'opened' | 'clicked' },
): Promise<void> {
  const mails = await tx
    .selectFrom('mailing_recipients as m')
    .innerJoin('campaign_mailing_sends as s', 's.id', 'm.send_id')
    .select(['m.id', 'm.send_id'])
    .where('m.customer_id', '=', customerId)
    .where('s.customer_id', '=', customerId)
    .where('s.drip_id', '=', dripId)
    .where('m.subscriber_id', '=', subscriberId)
    .where('m.mailing_id', '=', Number(mailingId))
    .execute();
  for (const { id, send_id: sendId } of mails) {
    const recipient = { id, customerId, sendId, mailingId: Number(mailingId), subscriberId };
    if (event === 'opened') await recordOpen(tx, clock, recipient, false);
    else await recordClick(tx, clock, recipient, { link: 0, byMachine: false });
  }
}
