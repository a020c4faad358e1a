import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { startClinic } from './clinic.ts';
import { createFleet } from './fleet.ts';
import { startPostfix } from './postfix.ts';

const RETURNS = 'returns.example';

test("Debian's Postfix as the receiving server: greylisted, taken, refused, and sent back with a DSN", async (t) => {
  const fleet = await createFleet(t);
  const clock = createMovableClock();
  const env = { CAREPOST_ROLES: 'http,smtp', CAREPOST_BOUNCE_PORT: '0', CAREPOST_RETURN_PATH_DOMAIN: RETURNS };
  const clinic = await startClinic(t, fleet, { clock, env });
  const { bouncePort } = clinic.app;
  assert.ok(bouncePort !== undefined, 'the door for returned mail is open');
  const postfix = await startPostfix(t, fleet, {
    domain: 'real.example',
    users: ['ann'],
    lateDomain: 'late.example',
    bouncePort,
    clock,
    greylistMinutes: 5,
  });

  const id = await clinic.send(['ann@real.example', 'nobody@real.example', 'nobody@late.example'], 'to a real server');
  await clinic.deliver();
  const first = (await clinic.standings(id)).map(({ state, words }) => `${state} ${words.slice(0, 9)}`);
  assert.deepEqual(first, ['queued 450 4.2.0', 'bounced 550 5.1.1', 'queued 450 4.2.0'], postfix.log());
  await clinic.deliverAll();
  const ends = (await clinic.standings(id)).map(({ state, words, tls }) => [state, words.slice(0, 9), tls?.policy]);
  assert.deepEqual(ends.slice(0, 2), [
    ['delivered', '250 2.0.0', 'pkix'],
    ['bounced', '550 5.1.1', 'pkix'],
  ]);
  const [mail] = await eventually(async () => {
    const found = postfix.mailbox('ann');
    return found.length > 0 && found;
  });
  assert.match(mail ?? '', /with ESMTPS id [^]*\n\nto a real server\n$/);
  assert.match(mail ?? '', /^DKIM-Signature: /m);

  await eventually(async () => (await clinic.standings(id))[2]?.state === 'bounced').catch(() =>
    assert.fail(`the DSN did not come back\n${postfix.log()}`),
  );
  const retries = postfix.greylisted.filter((recipient) => recipient === 'ann@real.example').length;
  assert.ok(retries >= 2 && retries <= 4, `${retries} tries`);
});
