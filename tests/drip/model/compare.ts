import assert from 'node:assert/strict';
import { readWays } from './found.ts';
import type { Real } from './real.ts';
import { settle } from './settle.ts';
import type { Drip, Enrolment, State } from './state.ts';

/** Lets the product and the model do all that there is to do, and says where they are not of one mind. */
export async function settleBoth(state: State, real: Real, engines: 1 | 2): Promise<void> {
  await real.settle(engines);
  await compare(state, real, true);
}

/** Settles the model, by the versions that the product gave to newcomers, and compares. */
export async function compare(state: State, real: Real, isSettled: boolean): Promise<void> {
  const found = await readWays(real);
  if (isSettled) settle(state, (drip, person, rotation) => found.get(`${drip.id}/${person.id}/${rotation}`)?.version);
  const told = Object.fromEntries([...found].map(([key, { said }]) => [key, said]));
  const meant = state.drips.flatMap((drip) => drip.enrolments.map((each) => [keyOf(drip, each), say(each)] as const));
  assert.deepEqual(told, Object.fromEntries(meant));
  if (!isSettled) return;
  await compareCounts(state, real);
  await checkRows(real);
}

function keyOf(drip: Drip, { person, rotation }: Enrolment): string {
  return `${drip.id}/${person.id}/${rotation}`;
}

function say({ version, state, reason, step, inside, woken, due, enteredAt, path }: Enrolment) {
  const shown = { version, state, reason, step, inside, woken, due, entered: enteredAt, ended: state !== 'active' };
  return {
    ...shown,
    path: path.map(
      (each) => `${each.step}#${each.visit} ${each.at} ${each.outcome ?? '-'}${each.mailed ? ' mailed' : ''}`,
    ),
  };
}

async function compareCounts(state: State, { owner, customer, marketing }: Real): Promise<void> {
  const { data } = await marketing.take('GET', '/drip_campaigns');
  const listed = data.map(({ id, attributes }: (typeof data)[number]) => {
    const { state: is, subscriber_count: people, subscriber_completed_count: completed } = attributes;
    return [id, { is, people, completed }];
  });
  const meant = state.drips.map(({ id, state: is, enrolments }) => {
    const through = enrolments.filter((each) => each.state === 'completed');
    return [id, { is, people: peopleIn(enrolments), completed: peopleIn(through) }];
  });
  assert.deepEqual(Object.fromEntries(listed), Object.fromEntries(meant));

  const { rows } = await owner.query(
    `select concat_ws('/', drip_id, version, step) as place,
       format('%s waiting, %s passed, %s exited', sum(waiting), sum(passed), sum(exited)) as people
     from drip_step_counts where customer_id = $1 group by 1 having sum(waiting) + sum(passed) + sum(exited) <> 0`,
    [customer.id],
  );
  const counted = Object.fromEntries(rows.map(({ place, people }) => [place, people]));
  assert.deepEqual(counted, Object.fromEntries(state.drips.flatMap(countsOf)));
}

function countsOf({ id, enrolments, passed }: Drip): [place: string, people: string][] {
  const places = new Set([...passed.keys(), ...enrolments.map(({ version, step }) => `${version}/${step}`)]);
  return [...places].flatMap((place): [string, string][] => {
    const here = enrolments.filter(({ version, step }) => `${version}/${step}` === place);
    const inState = (wanted: Enrolment['state']) => here.filter(({ state }) => state === wanted).length;
    const [waiting, through, exited] = [inState('active'), passed.get(place) ?? 0, inState('exited')];
    if (waiting + through + exited === 0) return [];
    return [[`${id}/${place}`, `${waiting} waiting, ${through} passed, ${exited} exited`]];
  });
}

function peopleIn(enrolments: Enrolment[]): number {
  return new Set(enrolments.map(({ person }) => person)).size;
}

/** What must never be found, whatever has happened. */
const RULES = {
  'somebody came to a step twice by one number': `select 1 from drip_visits where customer_id = $1
    group by enrolment_id, step, visit having count(*) > 1`,
  'a mail without a visit, or with two': `select 1 from mailing_recipients r
    join campaign_mailing_sends s on s.id = r.send_id and s.drip_id is not null
    where r.customer_id = $1 and (select count(*) from drip_visits v where v.message_id = r.id) <> 1`,
  'a step that mails came by without a mail, or was left out with one': `select 1 from drip_visits v
    join drip_enrolments e on e.id = v.enrolment_id
    join (select d.drip_id, n ->> 'id' as step, bool_and(n ->> 'type' = 'email') as mails
      from drip_versions d, jsonb_array_elements(d.graph -> 'nodes') n where d.customer_id = $1 group by 1, 2) k
      on k.drip_id = e.drip_id and k.step = v.step and k.mails
    where v.customer_id = $1 and (v.outcome is null) <> (v.message_id is not null)`,
  'somebody on their way through a drip that is over': `select 1 from drip_enrolments e
    join drip_campaigns d on d.id = e.drip_id where e.customer_id = $1 and e.state = 'active' and d.state = 'completed'`,
  'somebody who is done and due': `select 1 from drip_enrolments where customer_id = $1 and state <> 'active'
    and (due_at is not null or inside or woken or ended_at is null)`,
  'somebody before a step for ever': `select 1 from drip_enrolments where customer_id = $1 and state = 'active'
    and not inside and due_at is null`,
  'a fact that is left': `select 1 from drip_facts where customer_id = $1`,
  'people who are not counted': `select 1 from drip_campaigns d
    left join lateral (select sum(people) as people, sum(completed) as completed from drip_counts c
      where c.drip_id = d.id) c on true
    cross join lateral (select count(distinct subscriber_id) as people,
      count(distinct subscriber_id) filter (where state = 'completed') as completed from drip_enrolments e
      where e.drip_id = d.id) e
    where d.customer_id = $1 and (coalesce(c.people, 0), coalesce(c.completed, 0)) <> (e.people, e.completed)`,
  'places that are not counted': `select 1 from (
      select drip_id, version, step, sum(waiting) as waiting, sum(exited) as exited from drip_step_counts
      where customer_id = $1 group by 1, 2, 3) c
    full join (select drip_id, version, step, count(*) filter (where state = 'active') as waiting,
      count(*) filter (where state = 'exited') as exited from drip_enrolments
      where customer_id = $1 group by 1, 2, 3) e using (drip_id, version, step)
    where (coalesce(c.waiting, 0), coalesce(c.exited, 0)) <> (coalesce(e.waiting, 0), coalesce(e.exited, 0))`,
  'mails that are not counted': `select 1 from campaign_mailing_sends s join send_counts c on c.send_id = s.id
    where s.customer_id = $1 and s.drip_id is not null
      and c.people <> (select count(*) from mailing_recipients r where r.send_id = s.id)`,
};
const ALL_RULES = Object.entries(RULES)
  .map(([rule, query]) => `select '${rule}' as broken where exists (${query})`)
  .join(' union all ');

/** Looks for what must never be. */
export async function checkRows({ owner, customer }: Real): Promise<void> {
  const { rows } = await owner.query(ALL_RULES, [customer.id]);
  assert.deepEqual(rows, []);
}
