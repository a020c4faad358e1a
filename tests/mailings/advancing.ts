import assert from 'node:assert/strict';
import { MailRooms } from '../../src/email/index.ts';
import type { AdvanceDeps } from '../../src/marketing/mailings/sending/advance.ts';
import { createCompiledSends } from '../../src/marketing/mailings/sending/compiled-sends.ts';
import { createIdempotency } from '../../src/platform/http/idempotency.ts';
import type { Worker } from '../support/delivery.ts';

/** What sends need to be taken further by hand, with whatever a test does in the place of mail servers. */
export function advancing(worker: Worker, by: Pick<AdvanceDeps, 'handOver'> & Partial<AdvanceDeps>): AdvanceDeps {
  const mailings = {
    ...worker,
    idempotency: createIdempotency(worker),
    warmUp: null,
    acceptMessages: () => assert.fail('nothing was to be accepted'),
    rooms: new MailRooms(),
    halted: new AbortController().signal,
    ...by,
  };
  return { ...mailings, compiled: createCompiledSends(mailings) };
}
