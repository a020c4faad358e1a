import assert from 'node:assert/strict';
import type { Reply } from '../../support/app.ts';
import { checkRows } from './compare.ts';
import type { Real } from './real.ts';
import type { Drip } from './state.ts';
import type { World } from './world.ts';

/** Lets everything happen at once. What comes of it is open, but not what must never be. */
export async function storm({ state, slots }: World, real: Real): Promise<void> {
  const { marketing, owner, customer } = real;
  const [first, last] = [state.drips[0] as Drip, state.drips.at(-1) as Drip];
  const people = slots.flatMap(({ person }) => (person === null ? [] : [person.id]));
  const steer = (drip: Drip, move: string) => marketing.ask('POST', `/drip_campaigns/${drip.id}/${move}`);
  const [leaver, ...others] = slots;
  const joins = others.map(({ email }) =>
    marketing.ask('POST', '/subscribers', { subscriber: { email }, subscription_list_id: last.list }),
  );
  const happening: Promise<Reply>[] = [
    ...joins,
    ...people.map((id) => marketing.ask('POST', '/drip_events', { event: 'ping', subscriber_id: id })),
    marketing.ask('POST', `/drip_campaigns/${first.id}/enrollments`, { subscriber_ids: people }),
    steer(last, 'complete'),
    steer(first, 'pause'),
    ...(leaver?.person ? [marketing.ask('DELETE', `/subscribers/${leaver.person.id}`)] : []),
    steer(first, 'resume'),
  ];
  const settled = [real.settle(2), real.settle(1)];
  const refused = (await Promise.all(happening)).filter(({ status }) => status >= 500);
  assert.deepEqual(refused, []);
  await Promise.all(settled);
  await real.settle(1);
  await checkRows(real);
  const { rows } = await owner.query(
    `select 1 from drip_enrolments e join drip_campaigns d on d.id = e.drip_id
     where e.customer_id = $1 and d.state = 'running' and e.due_at <= $2`,
    [customer.id, real.clock.now()],
  );
  assert.deepEqual(rows, [], 'nobody is left who is due');
}
