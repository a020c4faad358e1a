import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../platform/db/database.ts';
import { createLog } from '../../platform/log.ts';
import { hashSecret, newSecret } from '../../platform/secret.ts';
import { createSessions } from './session-cache.ts';

const NOW = new Date('2026-11-17T12:00:00Z');
const token = newSecret();

/** A session as the database knows it; with a grant, an operator reads a customer's records by it. */
function row(grantId: string | null) {
  return {
    id: 's',
    customer_id: 1,
    user_id: 'u',
    token_hash: hashSecret(token),
    csrf: 'c',
    role: 'operator',
    username: 'op',
    seen_at: NOW,
    expires_at: new Date(NOW.getTime() + 3600_000),
    factor_at: NOW,
    fresh_at: null,
    agreement_in_force: true,
    grant_id: grantId,
    grant_customer_id: 2,
    grant_username: 'clinic',
    grant_expires_at: NOW,
    grant_agreement_in_force: true,
  };
}

/** Sessions over a database whose answers a test gives, each to the question of its number. */
function begin() {
  const questions: PromiseWithResolvers<unknown>[] = [];
  const untenanted = () => {
    const question = Promise.withResolvers<unknown>();
    questions.push(question);
    return question.promise;
  };
  const db = { untenanted } as unknown as Database;
  const sessions = createSessions({ db, clock: { now: () => NOW }, log: createLog('silent') });
  return {
    sessions,
    answer: (number: number, grantId: string | null) => questions[number]?.resolve({ rows: [row(grantId)] }),
    grantNow: async () => (await sessions.find(token, { background: true }))?.caller.person.emergency?.grantId ?? null,
  };
}

test('what was asked before a person was forgotten is not believed when it is answered after', async () => {
  const { sessions, answer, grantNow } = begin();
  const first = grantNow();
  answer(0, 'g');
  assert.equal(await first, 'g');
  const refreshing = sessions.refresh();
  sessions.forget('u'); // the grant was left, and that is written
  answer(1, 'g');
  await refreshing;
  const next = grantNow();
  answer(2, null);
  assert.equal(await next, null);
});

test('somebody who comes while they are being forgotten is asked about again', async () => {
  const { sessions, answer, grantNow } = begin();
  const coming = grantNow();
  sessions.forget('u');
  answer(0, 'g');
  await new Promise(setImmediate);
  answer(1, null);
  assert.equal(await coming, null);
});

test('an answer that was asked for earlier does not stand in for one that was asked for later', async () => {
  const { sessions, answer, grantNow } = begin();
  const first = grantNow();
  answer(0, 'g');
  await first;
  const [early, late] = [sessions.refresh(), sessions.refresh()];
  answer(2, null);
  await late;
  answer(1, 'g');
  await early;
  assert.equal(await grantNow(), null);
});
