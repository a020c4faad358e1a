import { signatureHeaders } from '../../../email/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { type Breaker, createBreaker } from '../../../platform/jobs/breaker.ts';
import type { Task } from '../../../platform/jobs/runner.ts';
import type { Dial } from '../../../platform/net/dial.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { selectVersions } from '../campaigns/version.ts';
import { webhookSecretOf } from './webhook-secret.ts';
import { CALL_WEBHOOK } from './write-visits.ts';
import '../../tables.ts';

const TIME_LIMIT_MS = 10_000;
const GONE = 410;

export interface CallDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  dial: Dial;
}

interface Call {
  customerId: number;
  dripId: number;
  version: number;
  enrolmentId: string;
  step: string;
  visit: number;
}

/** The side job of webhook steps. An address that hangs or refuses is not asked again for everybody on their way. */
export function dripWebhookTask(deps: CallDeps): Record<string, Task> {
  const unlessFailing = createBreaker(deps.clock);
  const task: Task = (payload) =>
    callWebhook(
      { ...deps, unlessFailing },
      {
        customerId: Number(payload.customerId),
        dripId: Number(payload.dripId),
        version: Number(payload.version),
        enrolmentId: String(payload.enrolmentId),
        step: String(payload.step),
        visit: Number(payload.visit),
      },
    );
  return { [CALL_WEBHOOK]: Object.assign(task, { callsOut: true as const }) };
}

/**
 * Tells an address that somebody came to a step: ids and times, nothing of the person. What is not accepted is told
 * again by the side jobs, under the same id, so that a receiver can tell that it has heard it before.
 */
async function callWebhook(
  { db, vault, clock, dial, unlessFailing }: CallDeps & { unlessFailing: Breaker },
  call: Call,
): Promise<void> {
  const found = await db.tenant([call.customerId], async (tx) => {
    const visit = await tx
      .selectFrom('drip_visits as v')
      .innerJoin('drip_enrolments as e', 'e.id', 'v.enrolment_id')
      .select(['e.subscriber_id', 'v.at'])
      .where('v.customer_id', '=', call.customerId)
      .where('e.customer_id', '=', call.customerId)
      .where('v.enrolment_id', '=', call.enrolmentId)
      .where('v.step', '=', call.step)
      .where('v.visit', '=', call.visit)
      .executeTakeFirst();
    if (visit === undefined) return null;
    const { graph } = await selectVersions(tx, call.customerId, call.dripId)
      .where('version', '=', call.version)
      .executeTakeFirstOrThrow();
    const node = graph.nodes.find(({ id }) => id === call.step);
    return node?.type === 'webhook' ? { ...visit, url: node.url } : null;
  });
  if (found === null) return;
  const { subscriber_id, at, url } = found;
  const payload = {
    drip_campaign_id: String(call.dripId),
    enrollment_id: call.enrolmentId,
    subscriber_id,
    step: call.step,
    visit: call.visit,
    time: at.toISOString(),
  };
  const body = JSON.stringify({ event_name: 'drip_step', payload });
  const secret = webhookSecretOf(await vault.of(call.customerId), call.dripId);
  const id = `${call.enrolmentId}/${call.step}/${call.visit}`;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Carepost-Webhooks/1',
    ...signatureHeaders([{ text: secret, until: null }], { id, at: clock.now(), body }),
  };
  await unlessFailing(`${call.dripId} ${url}`, async () => {
    const { status } = await dial({ url, headers, body, timeoutMs: TIME_LIMIT_MS });
    if (status >= 300 && status !== GONE) throw new Error(`a webhook step was answered with ${status}`);
  });
}
