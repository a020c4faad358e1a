import { rowsOf } from '../marketing/support.ts';
import type { Reply } from '../support/app.ts';
import type { Scene } from './drip.ts';

type Body = Reply['body'];

/** Lets people into a drip by hand; answers their enrollments, in the same order. */
export async function enter({ marketing }: Scene, drip: string, ...people: string[]): Promise<string[]> {
  const { data } = await marketing.take('POST', `/drip_campaigns/${drip}/enrollments`, { subscriber_ids: people });
  return people.map((id) => data.enrolled.find((each: Body) => each.subscriber_id === id).id);
}

/** The enrollments in a drip as the list shows them. */
export async function listed({ marketing }: Scene, drip: string, query = ''): Promise<Body> {
  return marketing.take('GET', `/drip_campaigns/${drip}/enrollments${query}`);
}

/** The names of those whom a list shows. */
export async function namesIn(scene: Scene, drip: string, query = ''): Promise<string[]> {
  const { data } = await listed(scene, drip, query);
  return data.map(({ attributes: { email } }: Body) => email?.replace(/@.*/, '') ?? '?');
}

export async function pathOf({ marketing }: Scene, drip: string, id: string): Promise<Body[]> {
  return (await marketing.take('GET', `/drip_campaigns/${drip}/enrollments/${id}`)).data.attributes.path;
}

export async function statisticsOf({ marketing }: Scene, drip: string, query = ''): Promise<Body> {
  return (await marketing.take('GET', `/drip_campaigns/${drip}/statistics${query}`)).data;
}

export async function explained({ marketing }: Scene, drip: string, person: string): Promise<Body> {
  return (await marketing.take('GET', `/drip_campaigns/${drip}/explain?subscriber_id=${person}`)).data;
}

/** Who did something to whom, by what the audit log says. */
export function auditOf({ app, customer }: Scene, action: string): Promise<Body[]> {
  return rowsOf(app, 'select target, details from audit_log where customer_id = $1 and action = $2 order by at, id', [
    customer.id,
    action,
  ]);
}
