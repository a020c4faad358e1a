import { randomUUID } from 'node:crypto';
import { askForAccess, createIncident, createUser, INSTALLATION } from '../../src/accounts/index.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import type { TestApp } from './app.ts';

/** What is kept about the oversight of a customer, to be asked for by its ids. */
export interface Overseen {
  grantId: string;
  reviewId: string;
  incidentId: string;
}

/** Emergency access that was asked for, a review and an incident of a customer. */
export async function addOversight(
  { installation, act }: TestApp,
  { id: customerId, mark }: { id: number; mark: string },
): Promise<Overseen> {
  const { db, vault, clock, ownerUrl } = installation;
  const email = `operator-${randomUUID()}@example.org`;
  const created = act(INSTALLATION, 'user.created');
  const operator = {
    kind: 'user',
    id: (await createUser(installation, created, { email, role: 'operator' })).id,
  } as const;
  const asked = { customerId: INSTALLATION, actor: operator, action: 'break-glass.asked', requestId: null };
  const grantId = await askForAccess(installation, asked, { customerId, reason: mark, minutes: 5 });
  const keys = await vault.of(customerId);
  const told = { what_happened: mark, information: mark, steps: mark, doing: mark, contact: mark };
  const [discoveredAt, breach] = [clock.now(), { breachFrom: null, breachTo: null }];
  const incidentId = await db.tenant([customerId], (tx) =>
    createIncident(
      tx,
      { clock, keys },
      { customerId, actor: operator, action: 'incident.opened', requestId: null },
      { discoveredAt, ...breach, severity: 'low', told, scope: null },
    ),
  );
  const reviewId = randomUUID();
  await withConnection(ownerUrl, (client) =>
    client.query(
      `insert into activity_reviews (id, customer_id, period_from, period_to, findings, made_at, due_at)
       values ($1, $2, now() - interval '30 days', now(), '[]', now(), now() + interval '7 days')`,
      [reviewId, customerId],
    ),
  );
  return { grantId, reviewId, incidentId };
}
