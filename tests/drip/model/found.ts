import type { Pause } from '../../../src/marketing/drip/timing/pauses.ts';
import type { Real } from './real.ts';

/** A way of somebody through a drip, as it is stored. */
interface Stored {
  drip: string;
  person: string;
  rotation: number;
  version: number;
  state: string;
  reason: string | null;
  step: string;
  inside: boolean;
  woken: boolean;
  due: Date | null;
  entered: Date;
  ended: boolean;
  seen: number;
  pauses: Pause[];
  path: string[] | null;
}

/** Where everybody is, as it is stored: what is said of each way through a drip, by drip, person and rotation. */
export async function readWays({ owner, customer }: Real): Promise<Map<string, { version: number; said: object }>> {
  const { rows } = await owner.query<Stored>(
    `select e.drip_id::text as drip, e.subscriber_id as person, e.rotation, e.version, e.state, e.reason, e.step, e.inside,
       e.woken, e.due_at as due, e.entered_at as entered, e.ended_at is not null as ended, e.pauses as seen, d.pauses,
       (select array_agg(format('%s#%s %s %s%s', v.step, v.visit, floor(extract(epoch from v.at) * 1000)::bigint,
           coalesce(v.outcome, '-'), case when m.id is null then '' else ' mailed' end) order by v.number)
         from drip_visits v left join mailing_recipients m on m.id = v.message_id and m.subscriber_id = e.subscriber_id
         where v.enrolment_id = e.id) as path
     from drip_enrolments e join drip_campaigns d on d.id = e.drip_id where e.customer_id = $1`,
    [customer.id],
  );
  return new Map(
    rows.map((row) => [`${row.drip}/${row.person}/${row.rotation}`, { version: row.version, said: say(row) }]),
  );
}

function say(row: Stored) {
  const { version, state, reason, step, inside, woken, entered, ended, path } = row;
  const shown = { version, state, reason, step, inside, woken, ended, path: path ?? [] };
  return { ...shown, entered: entered.getTime(), due: dueOf(row) };
}

/** When somebody is due once all pauses are reckoned with: the engine does so only when it comes to them. */
function dueOf({ due, seen, pauses, woken }: Stored): number | null {
  if (due === null) return null;
  let at = due.getTime();
  for (const { from, to, policy } of pauses.slice(seen)) {
    const length = Date.parse(to) - Date.parse(from);
    if (policy === 'shift' && !woken && at > Date.parse(from)) at += Math.max(0, length);
  }
  return at;
}
