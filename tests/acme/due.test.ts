import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INSTALLATION } from '../../src/accounts/index.ts';
import { keepIssued, noteFailure, readIssued, readStanding, takeOn } from '../../src/platform/acme/issued.ts';
import { renewalOf } from '../../src/platform/acme/renew.ts';
import { startApp } from '../support/app.ts';
import { createAuthority } from '../support/authority.ts';
import { createMovableClock } from '../support/clock.ts';

const HOUR_MS = 3600_000;
const MINUTE_MS = 60_000;

test('a certificate is due again while a third of its life is left, however short that is', async () => {
  const authority = await createAuthority();
  const now = new Date('2026-11-01T12:00:00Z');
  for (const hours of [24, 6 * 24, 90 * 24]) {
    const notAfter = new Date(now.getTime() + hours * HOUR_MS);
    const { cert } = await authority.issue({ names: ['care.example.org'], notBefore: now, notAfter });
    assert.equal(renewalOf(cert, now).getTime() - now.getTime(), (2 * hours * HOUR_MS) / 3);
  }
  const notAfter = new Date(now.getTime() + 90 * 24 * HOUR_MS);
  const { cert } = await authority.issue({ names: ['care.example.org'], notBefore: now, notAfter });
  const late = new Date(notAfter.getTime() + 24 * HOUR_MS);
  assert.equal(renewalOf(cert, late).getTime() - late.getTime(), 24 * HOUR_MS, 'a wrong clock does not ask at once');
});

test('a node that took too long writes nothing over what the next one has', async (t) => {
  const clock = createMovableClock();
  const { installation } = await startApp(t, { clock });
  const { db, vault } = installation;
  const deps = { db, clock, keys: () => vault.of(INSTALLATION) };
  const wanted = { directory: 'https://authority.example/directory', names: ['care.example.org'] };
  const slow = await takeOn(deps, wanted);
  clock.advance(14 * MINUTE_MS);
  assert.equal(await takeOn(deps, wanted), null, 'an order may take that long');
  clock.advance(2 * MINUTE_MS);
  const next = await takeOn(deps, wanted);
  assert.ok(slow !== null && next !== null);
  const later = new Date(clock.now().getTime() + HOUR_MS);
  assert.equal(await keepIssued(deps, slow, { cert: 'slow', key: 'slow' }, later), false);
  await noteFailure(deps, slow, 7, later);
  assert.equal((await readStanding(db, wanted))?.failures, 0);
  assert.equal(await keepIssued(deps, next, { cert: 'next', key: 'key' }, later), true);
  assert.deepEqual(await readIssued(deps, wanted), { cert: 'next', key: 'key' });
});
