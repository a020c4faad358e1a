import type { AcceptMessages, LinkTokens } from '../email/index.ts';
import type { SealedBlobs } from '../platform/blob/sealed-blobs.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type Task, takingLong } from '../platform/jobs/runner.ts';
import type { Dial } from '../platform/net/dial.ts';
import type { Vault } from '../platform/vault/vault.ts';
import { bulkTasks } from './bulk/tasks.ts';
import { CONFIRM_TASK, sendConfirmation } from './consent/send-confirmation.ts';
import { dripWebhookTask } from './drip/engine/call-webhook.ts';
import { SEAL_FIELD } from './fields/change-type.ts';
import { sealField } from './fields/seal-field.ts';
import { importTasks } from './imports/tasks.ts';
import type { Which } from './imports/which.ts';
import { EMPTY_LIST, emptyList } from './lists/empty-list.ts';
import { COUNT_SEGMENT, countSegment } from './segments/count-job.ts';

/** What the side jobs of this area stand on. */
export interface TaskDeps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  clock: Clock;
  acceptMessages: AcceptMessages;
  tokens: LinkTokens;
  dial: Dial;
  /** Works on a large import in another process. */
  workOnImportApart(which: Which): Promise<boolean>;
  systemFrom: string;
  publicUrl: string;
}

/** The side jobs of the Marketing area. */
export function createMarketingTasks(deps: TaskDeps): Record<string, Task> {
  return {
    [CONFIRM_TASK]: ({ customerId, subscriberId, listId }) =>
      sendConfirmation(deps, {
        customerId: Number(customerId),
        subscriberId: String(subscriberId),
        listId: Number(listId),
      }),
    ...importTasks(deps),
    ...bulkTasks(deps),
    ...dripWebhookTask(deps),
    ...takingLong({
      [SEAL_FIELD]: ({ customerId, fieldId }) =>
        sealField(deps, { customerId: Number(customerId), fieldId: String(fieldId) }),
      [EMPTY_LIST]: ({ customerId, listId }) =>
        emptyList(deps, { customerId: Number(customerId), listId: Number(listId) }),
      [COUNT_SEGMENT]: ({ customerId, segmentId }) =>
        countSegment(deps, { customerId: Number(customerId), segmentId: String(segmentId) }),
    }),
  };
}
