import type { TestContext } from 'node:test';
import { type MailPeer, type Received, startMailPeer } from '../mailings/mail-peer.ts';
import { addMailing } from '../mailings/mailing.ts';
import { type Marketing, marketingOf, rowsOf } from '../marketing/support.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock, type MovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';
import { createEngine, type Engine } from './engine.ts';

type Fields = Record<string, unknown>;

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const MONDAY_NOON = '2026-11-16T12:00:00Z';

/** A customer with a list and a mailing, and a clock that stands still. */
export interface Scene {
  app: TestApp;
  clock: MovableClock;
  customer: TestCustomer;
  marketing: Marketing;
  list: string;
  mailing: string;
}

/** A scene in which the engine does something when it is told to, and no mail leaves. */
export interface QuietScene extends Scene {
  engine: Engine;
  /** Lets it become so late, and the engine do what there is to do. */
  becomes(moment: string): Promise<void>;
}

/** A scene in which everything goes by itself, and mails arrive at a peer. */
export interface LivelyScene extends Scene {
  peer: MailPeer;
  /** Lets it become so late, and wakes whoever sleeps by a clock of their own. */
  becomes(moment: string): Promise<void>;
}

/** Opens a product in which tests enter a scene of their own, each at its own time. */
export async function openQuiet(t: TestContext): Promise<(at?: string) => Promise<QuietScene>> {
  const clock = createMovableClock(new Date(MONDAY_NOON));
  const app = await startApp(t, { clock });
  const engine = createEngine(t, app, clock);
  const becomes = async (moment: string) => {
    setClock(clock, moment);
    await engine.settle();
  };
  return async (at = MONDAY_NOON) => ({ ...(await enter(app, clock, at)), engine, becomes });
}

/** The same, where everything goes by itself. */
export async function openLively(t: TestContext): Promise<(at?: string) => Promise<LivelyScene>> {
  const clock = createMovableClock(new Date(MONDAY_NOON));
  const peer = await startMailPeer(t);
  const env = { CAREPOST_ROLES: 'http,worker' };
  const app = await startApp(t, { clock, env, overrides: { peer: peer.target } });
  const becomes = async (moment: string) => {
    setClock(clock, moment);
    await asOwner(app, (client) => client.query(`select pg_notify('carepost_drips', '')`));
  };
  return async (at = MONDAY_NOON) => {
    peer.received.splice(0);
    peer.answerWith(() => 'take');
    return { ...(await enter(app, clock, at)), peer, becomes };
  };
}

/** Ends what earlier tests left under way, sets the clock, and makes another customer. */
async function enter(app: TestApp, clock: MovableClock, at: string): Promise<Scene> {
  await asOwner(app, (client) => client.query(`update drip_campaigns set state = 'completed'`));
  setClock(clock, at);
  const customer = await app.createCustomer();
  const marketing = marketingOf(app, customer);
  const [list, mailing] = [await marketing.addList('News'), await addMailing(app, customer)];
  return { app, clock, customer, marketing, list, mailing };
}

export function setClock(clock: MovableClock, moment: string): void {
  clock.advance(Date.parse(moment) - clock.now().getTime());
}

/** Writes a drip on the list of the scene; answers its id. */
export async function addDrip({ marketing, list }: Scene, steps: Fields[], more: Fields = {}): Promise<string> {
  const drip_campaign = { name: 'Welcome', subscription_list_id: list, steps, ...more };
  return (await marketing.take('POST', '/drip_campaigns', { drip_campaign })).data.id;
}

/** Writes a drip and starts it; answers its id. */
export async function startDrip(scene: Scene, steps: Fields[], more: Fields = {}): Promise<string> {
  const id = await addDrip(scene, steps, more);
  await steer(scene, id, 'start');
  return id;
}

type Move = 'start' | 'pause' | 'resume' | 'complete';

export async function steer({ marketing }: Scene, drip: string, move: Move, body: Fields = {}): Promise<void> {
  await marketing.take('POST', `/drip_campaigns/${drip}/${move}`, body);
}

/** Somebody on the list of the scene; answers the id. */
export function addTo({ marketing, list }: Scene, name: string, more: Fields = {}): Promise<string> {
  return marketing.addPerson(`${name}@example.com`, more, list);
}

/** Where somebody is in a drip, as one would say it; the last time that they were in it counts. */
export async function whereIs({ app }: Scene, drip: string, person: string): Promise<string> {
  const [row] = await rowsOf(
    app,
    `select state, reason, step, inside, due_at from drip_enrolments where drip_id = $1 and subscriber_id = $2
     order by rotation desc limit 1`,
    [drip, person],
  );
  if (row === undefined) return 'nowhere';
  if (row.state === 'completed') return 'through';
  if (row.state === 'exited') return `left as ${row.reason}`;
  if (!row.inside) return `before ${row.step}`;
  return `in ${row.step}${row.due_at === null ? '' : ` until ${shortly(row.due_at)}`}`;
}

/** A moment as tests write it. */
function shortly(at: Date): string {
  return at.toISOString().replace('.000Z', 'Z');
}

/** The mails that the steps of a drip meant, in their order: to whom, which step, and what has become of them. */
export async function mailsOf({ app }: Scene, drip: string): Promise<string[]> {
  const rows = await rowsOf(
    app,
    `select concat_ws(' ', coalesce(split_part(s.email, '@', 1), '?'), m.drip_step, r.state) as line
     from mailing_recipients r join campaign_mailing_sends m on m.id = r.send_id
     left join subscribers s on s.id = r.subscriber_id
     left join drip_visits v on v.message_id = r.id
     where m.drip_id = $1 order by v.number`,
    [drip],
  );
  return rows.map(({ line }) => line);
}

/** How often each person entered a drip, by their address without its domain. */
export async function entriesOf({ app }: Scene, drip: string): Promise<Record<string, number>> {
  const rows = await rowsOf(
    app,
    `select split_part(s.email, '@', 1) as name, count(*)::int as times from drip_enrolments e
     join subscribers s on s.id = e.subscriber_id where e.drip_id = $1 group by 1 order by 1`,
    [drip],
  );
  return Object.fromEntries(rows.map(({ name, times }) => [name, times]));
}

/** The mails that arrived, once there are as many. */
export function arrived({ peer }: LivelyScene, count: number): Promise<Received[]> {
  return eventually(async () => peer.received.length >= count && peer.received);
}

/** Waits until somebody is where they should be. */
export async function comesTo(scene: Scene, drip: string, person: string, place: string): Promise<void> {
  let found = '';
  await eventually(async () => {
    found = await whereIs(scene, drip, person);
    return found === place;
  }).catch(() => {
    throw new Error(`${found}, not ${place}`);
  });
}

/** The header of a mail, unfolded. */
export function headerOf({ mime }: Received, name: string): string {
  const head = mime.slice(0, mime.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  return new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
}

/** The links in a mail, on the app of the scene: to leave, to what it points to, and the picture that tells of opening. */
export function linksIn({ app }: Scene, received: Received) {
  const html = received.mime.replace(/=\r\n/g, '').replaceAll('=3D', '=');
  const onApp = (found: RegExpExecArray | null) => app.url + new URL(found?.[1] ?? '').pathname;
  return {
    leave: onApp(/<(.*)>/.exec(headerOf(received, 'List-Unsubscribe'))),
    more: onApp(/href="([^"]+)">More/.exec(html)),
    picture: onApp(/<img src="([^"]+)"/.exec(html)),
  };
}

/** A step that mails the mailing of the scene. */
export function mail({ mailing }: Scene, id: string, more: Fields = {}): Fields {
  return { id, type: 'email', campaign_mailing_id: mailing, ...more };
}
