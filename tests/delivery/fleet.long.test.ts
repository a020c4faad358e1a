import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMovableClock } from '../support/clock.ts';
import { type Clinic, type Standing, startClinic } from './clinic.ts';
import { createFleet } from './fleet.ts';
import { type Character, charactersOf, type Ending, populate } from './month.ts';

// Short, since many peers never answer; a busy machine may be slower than this now and then, and tries again.
const PATIENCE = { connectMs: 800, commandMs: 500, finalDotMs: 1_500 };
const DAY = 24 * 3600_000;
const WEEKS = 4;
const MARKER = 'the-diagnosis-of-ann';

function areOnly(outcomes: string[], ...allowed: string[]): boolean {
  return outcomes.every((outcome) => allowed.includes(outcome));
}

/** What the attempts and the end of a recipient must look like. */
const ENDINGS: Record<Ending, (standing: Standing) => boolean> = {
  delivered: ({ state, tls }) => state === 'delivered' && tls?.verified === true,
  refused: ({ state, outcomes }) => state === 'bounced' && outcomes.at(-1) === 'refused' && outcomes.length < 4,
  'tried out': ({ state, outcomes, days }) => state === 'bounced' && days > 3 && areOnly(outcomes, 'deferred'),
  'no TLS': ({ state, outcomes, days, words }) =>
    state === 'bounced' && days < 2 && areOnly(outcomes, 'deferred') && words.startsWith('5.7.10 '),
  noticed: ({ state, tls }) => state === 'noticed' && tls?.verified === false,
  uncertain: ({ state, outcomes, days }) =>
    state === 'bounced' && days > 3 && outcomes.includes('uncertain') && areOnly(outcomes, 'uncertain', 'deferred'),
};

async function sendToAll(clinic: Clinic, characters: Character[]): Promise<[Character, string][]> {
  const sent: [Character, string][] = [];
  for (const character of characters) {
    const recipients = ['ann', 'bob'].map((user) => `${user}@${character.name}.example`);
    sent.push([character, await clinic.send(recipients, MARKER)]);
  }
  return sent;
}

/** Everybody in the first week; later those of whom something is known within the day. */
function getMailIn(week: number): (character: Character) => boolean {
  return ({ ending }) => week === 0 || (ending !== 'tried out' && ending !== 'uncertain');
}

test('a month of mail to all kinds of peers ends as it must, and not a byte of it is heard in clear', async (t) => {
  const fleet = await createFleet(t);
  const clock = createMovableClock();
  const characters = charactersOf(clock);
  await populate(fleet, characters);
  const clinic = await startClinic(t, fleet, { clock, patience: PATIENCE });
  const wrong: unknown[] = [];
  for (let week = 0; week < WEEKS; week += 1) {
    const begun = clock.now().getTime();
    const sent = await sendToAll(clinic, characters.filter(getMailIn(week)));
    await clinic.deliverAll();
    for (const [{ name, ending }, id] of sent) {
      for (const standing of await clinic.standings(id)) {
        if (!ENDINGS[ending](standing)) wrong.push({ name, ending, standing });
      }
    }
    clock.advance(Math.max(0, begun + 7 * DAY - clock.now().getTime()));
  }
  assert.deepEqual(wrong, []);
  fleet.nothingInClear([MARKER, 'ann@', 'bob@', 'Your visit']);
  const uncertain = characters.filter(({ ending }) => ending === 'uncertain').map(({ name }) => `mx.${name}.example`);
  for (const { name, taken } of fleet.peers) if (!uncertain.includes(name)) assertOnce(name, taken());

  const silent = characters.filter(({ ending }) => ending === 'noticed' || ending === 'no TLS');
  const heard = fleet.hostsThatHeard(MARKER);
  const overheard = silent.filter(({ name }) => heard.includes(`mx.${name}.example`));
  assert.deepEqual(overheard, [], 'who cannot be verified hears nothing of the content');
  for (const { name } of characters.filter(({ ending }) => ending === 'delivered')) {
    assert.ok(heard.includes(`mx.${name}.example`), `${name} has got the content`);
  }
});

function idOf(mime: string): string | undefined {
  return /^message-id: (.*)$/im.exec(mime)?.[1];
}

/** Whoever said 250 has each message once for each recipient. */
function assertOnce(host: string, taken: { mime: string; recipients: string[] }[]): void {
  const all = taken.flatMap(({ mime, recipients }) => recipients.map((recipient) => `${idOf(mime)} ${recipient}`));
  assert.equal(new Set(all).size, all.length, `${host} has got a message twice`);
}
