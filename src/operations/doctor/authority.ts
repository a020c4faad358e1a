import { X509Certificate } from 'node:crypto';
import { readStanding } from '../../platform/acme/issued.ts';
import { withDatabase } from '../../platform/db/database.ts';
import { type Check, failed, ok, type Verdict, warning } from './check.ts';

const HOUR_MS = 3600_000;
const SEE = 'see "no certificate issued" in the log; port 80 of each name must lead to CAREPOST_ACME_HTTP_PORT';
const START = 'start a process with the role http or smtp: it asks the authority by itself';

type Standing = NonNullable<Awaited<ReturnType<typeof readStanding>>>;

/** Whether the authority of the settings has issued a certificate, and renews it. */
export const authority: Check = {
  name: 'authority',
  needs: 'database',
  async look(bench) {
    const { acme } = bench.config;
    if (acme === null) return [ok('certificates are left to none (CAREPOST_ACME_EMAIL)')];
    const standing = await withDatabase(bench, 'app', (db) => readStanding(db, acme));
    if (standing === null) return [warning('it was not asked for a certificate yet', START)];
    return [judgeStanding(standing, bench.clock.now())];
  },
};

function judgeStanding({ chain, failures, next_attempt_at: nextAt }: Standing, now: Date): Verdict {
  const told = `${failures} attempts failed, the next is due at ${nextAt.toISOString()}`;
  if (chain === null) {
    if (failures > 0) return failed(`it has issued no certificate: ${told}`, SEE);
    return warning('it has issued no certificate yet', START);
  }
  const left = new X509Certificate(chain).validToDate.getTime() - now.getTime();
  if (left <= 0) return failed(`its certificate has ended: ${told}`, SEE);
  const found = `its certificate is valid for ${Math.floor(left / (24 * HOUR_MS))} more days`;
  if (failures > 0) return warning(`${found}, but ${told}`, SEE);
  if (now.getTime() - nextAt.getTime() > HOUR_MS) return warning(`${found}, and should have been renewed`, START);
  return ok(found);
}
