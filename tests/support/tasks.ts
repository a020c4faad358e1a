import { INSTALLATION } from '../../src/accounts/index.ts';
import { createLinkTokens, type DomainDns, type HandOver, type SignerFor } from '../../src/email/index.ts';
import type { Installation } from '../../src/installation.ts';
import { createTasks } from '../../src/jobs.ts';
import { workOnImport } from '../../src/marketing/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import type { Task } from '../../src/platform/jobs/runner.ts';
import type { Dial } from '../../src/platform/net/dial.ts';

const answer: Dial = async () => ({ status: 200, retryAfter: null });
const unanswered = () => Promise.reject(new Error('no answer'));
const silent: DomainDns = { txt: unanswered, cname: unanswered };

const handOver: HandOver = async () => null;
const signerFor: SignerFor = async () => ({ sign: async () => '' });

const acceptMessages = async () => [];

/** The side jobs of the product, to be run by hand; the mails that they write and the calls that they make go nowhere. */
export async function createTestTasks(
  installation: Installation,
  db: Database,
  domainDns = silent,
): Promise<Record<string, Task>> {
  const { blobs, vault } = installation;
  const tokens = createLinkTokens(await vault.of(INSTALLATION));
  return createTasks(installation, {
    db,
    blobs,
    tokens,
    dial: answer,
    acceptMessages,
    domainDns,
    handOver,
    signerFor,
    workOnImportApart: (which) => workOnImport(installation, which),
  });
}
