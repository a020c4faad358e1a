import { type Static, Type } from 'typebox';
import { parseAddress } from '../../../email/index.ts';
import { AppError, invalidField } from '../../../platform/errors.ts';
import { ListId, readListId } from '../../subscribers/read-subscriber.ts';
import { isTimeZone } from '../../subscribers/time-zone.ts';
import type { SentGraph } from '../graph/graph.ts';
import { readSentGraph } from '../graph/read-graph.ts';
import type { DateTrigger } from '../timing/occasions.ts';
import { REENTRIES, type Reentry, START_TRIGGERS, type StartTrigger } from './drip.ts';
import { readGoal, type WishedGoal } from './read-goal.ts';
import { DateWire, readDate, readFormId } from './read-trigger.ts';

const LONGEST_NAME = 255;
const LONGEST_LINE = 500;
const Text = Type.Union([Type.String(), Type.Null()]);
const Described = (description: string) => Type.Optional(Type.Union([Type.String({ description }), Type.Null()]));

export const DripBody = Type.Object({
  drip_campaign: Type.Object({
    name: Type.Optional(Text),
    subscription_list_id: Type.Optional(ListId),
    start_trigger: Described(`${START_TRIGGERS.join(', ')}; subscription means the first`),
    form_id: Described('Whose submissions start it, where that is the trigger'),
    date: Type.Optional(Type.Union([DateWire, Type.Null()])),
    steps: Type.Optional(Type.Unknown({ description: 'The steps in order; branches nest' })),
    drip_campaign_nodes: Type.Optional(
      Type.Unknown({ description: 'The same as nodes that name each other, or JSON of it' }),
    ),
    drip_campaign_tree_blob: Type.Optional(Type.Unknown({ description: 'The same as nodes and edges, or JSON of it' })),
    reentry: Described(REENTRIES.join(', ')),
    goal: Type.Optional(Type.Unknown({ description: 'Whoever gets there leaves: what a branch asks, or an event' })),
    time_zone: Described('For people of whom none is known; UTC by default'),
    sender_email: Type.Optional(Text),
    from_name: Type.Optional(Text),
    reply_to: Type.Optional(Text),
    publish_share: Type.Optional(
      Type.Union([Type.Integer({ description: 'How many of a hundred newcomers get the new steps' }), Type.Null()]),
    ),
  }),
});

/** What is said of a drip: only what was sent. */
export interface DripWish {
  name?: string;
  listId?: number;
  startTrigger?: StartTrigger;
  formId?: string | null;
  date?: DateTrigger | null;
  steps?: SentGraph;
  reentry?: Reentry;
  goal?: WishedGoal | null;
  timeZone?: string;
  senderEmail?: string | null;
  fromName?: string | null;
  replyTo?: string | null;
  publishShare?: number;
}

type Wire = Static<typeof DripBody>['drip_campaign'];

/** Reads a drip from its wire form, or throws naming the field that is wrong. */
export function readDripChange({ drip_campaign: wire }: Static<typeof DripBody>): DripWish {
  const listId = readListId(wire.subscription_list_id, at('subscription_list_id'));
  const steps = readSentGraph(wire);
  return {
    ...sent(wire.name, (name) => ({ name: readName(name) })),
    ...(listId === null ? {} : { listId }),
    ...given(wire.start_trigger, (text) => ({ startTrigger: readStartTrigger(text) })),
    ...sent(wire.form_id, (id) => ({ formId: readFormId(id) })),
    ...sent(wire.date, (date) => ({ date: date === null ? null : readDate(date) })),
    ...(steps === undefined ? {} : { steps }),
    ...given(wire.reentry, (text) => ({ reentry: readWord('reentry', text, REENTRIES) })),
    ...sent(wire.goal, (goal) => ({ goal: goal === null ? null : readGoal(at('goal'), goal) })),
    ...given(wire.time_zone, (zone) => ({ timeZone: readZone(zone) })),
    ...readSender(wire),
    ...given(wire.publish_share, (share) => ({ publishShare: readShare(at('publish_share'), share, 0) })),
  };
}

/** Reads a drip to be made, which needs a name. */
export function readNewDrip(body: Static<typeof DripBody>): DripWish & { name: string } {
  const wish = readDripChange(body);
  return { ...wish, name: wish.name ?? readName(null) };
}

/** How many of a hundred people are meant. */
export function readShare(field: string, share: number, least: 0 | 1): number {
  if (!Number.isInteger(share) || share < least || share > 100) {
    throw invalidField(field, `takes a whole number from ${least} to 100`);
  }
  return share;
}

function readName(text: string | null): string {
  const name = text?.trim() ?? '';
  if (name === '') throw invalidField(at('name'), 'must not be empty');
  if (name.length > LONGEST_NAME) throw invalidField(at('name'), `takes at most ${LONGEST_NAME} characters`);
  if (/\p{Cc}/u.test(name)) throw invalidField(at('name'), 'takes no control characters');
  return name;
}

function readStartTrigger(text: string): StartTrigger {
  return readWord('start_trigger', text === 'subscription' ? 'subscription_created' : text, START_TRIGGERS);
}

function readWord<Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === text);
  if (found === undefined) throw invalidField(at(name), `takes ${words.join(', ')}`);
  return found;
}

function readZone(text: string): string {
  if (!isTimeZone(text)) throw invalidField(at('time_zone'), 'is no time zone');
  return text;
}

/** As whom a drip mails; what is empty is left to the mailings. */
function readSender(wire: Wire): Pick<DripWish, 'senderEmail' | 'fromName' | 'replyTo'> {
  return {
    ...sent(wire.sender_email, (text) => ({ senderEmail: addressOf('sender_email', text)?.address ?? null })),
    ...sent(wire.from_name, (text) => ({ fromName: lineOf('from_name', text) })),
    ...sent(wire.reply_to, (text) => ({ replyTo: mailboxOf(addressOf('reply_to', text)) })),
  };
}

function addressOf(name: string, text: string | null): ReturnType<typeof parseAddress> {
  if (text === null || text.trim() === '') return null;
  const parsed = parseAddress(text);
  if (parsed === null) {
    const rule = 'is not a valid address';
    throw new AppError('unprocessable', `${at(name)} ${rule}`, { fields: { [at(name)]: [rule] } });
  }
  return parsed;
}

function mailboxOf(address: ReturnType<typeof parseAddress>): string | null {
  if (address === null) return null;
  return address.name === null ? address.address : `${address.name} <${address.address}>`;
}

function lineOf(name: string, wire: string | null): string | null {
  const text = wire?.trim() ?? '';
  if (text.length > LONGEST_LINE || /[\r\n]/.test(text)) {
    throw invalidField(at(name), `takes one line of at most ${LONGEST_LINE} characters`);
  }
  return text === '' ? null : text;
}

function at(name: string): string {
  return `drip_campaign.${name}`;
}

/** What follows from a value that was sent, null included. */
function sent<Value, Result>(value: Value | undefined, read: (value: Value) => Result): Result | undefined {
  return value === undefined ? undefined : read(value);
}

/** What follows from a value that says something. */
function given<Value, Result>(value: Value | null | undefined, read: (value: Value) => Result): Result | undefined {
  return value === undefined || value === null || value === '' ? undefined : read(value);
}
