import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { Settlement } from '../queue/settle.ts';

interface Deps {
  log: Log;
  metrics: Pick<Metrics, 'deliveries'>;
}

/** Counts and logs what came of attempts, by ids and codes alone; what went well is for those who look closely. */
export function tellOutcomes({ log, metrics }: Deps, settlements: Settlement[]): void {
  for (const { lease, outcome, notice } of settlements) {
    metrics.deliveries.inc({ outcome: outcome.result });
    const { message_id: messageId, ordinal: recipient, customer_id: customerId, attempts: attempt } = lease;
    const line = { messageId, recipient, customerId, attempt, outcome: outcome.result, code: outcome.code, notice };
    if (outcome.result === 'delivered') log.debug(line, 'delivery attempted');
    else log.info(line, 'delivery attempted');
  }
}
