import {
  type AuditReport,
  type Checkpoint,
  INSTALLATION,
  readCheckpoint,
  storedCheckpoints,
  verifyAudit,
  verifyCustomerAudit,
} from '../../../accounts/index.ts';
import { moment, type ReadSection, type Sources } from '../section.ts';

/** Whether the chains of the audit log still are what was signed. */
export const auditVerification: ReadSection = async (sources) => {
  const { rows, checkpoints, faults } = await verify(sources);
  const { installation } = sources;
  const checked = { at: moment(installation.clock.now()), rows_checked: rows, checkpoints_checked: checkpoints };
  const whole = { customer_id: null, row: null, audit_id: null };
  return {
    name: 'audit-verification',
    title: 'Verification of the audit log',
    about:
      'The chains were walked and compared with its rows, its head and the signed checkpoints outside the database.',
    columns: ['at', 'rows_checked', 'checkpoints_checked', 'result', 'customer_id', 'row', 'audit_id'],
    rows:
      faults.length === 0
        ? [{ ...checked, result: 'no fault', ...whole }]
        : faults.map(({ customerId, seq, auditId, reason }) => ({
            ...checked,
            result: reason,
            customer_id: customerId,
            row: seq,
            audit_id: auditId,
          })),
  };
};

/** All chains, or those of the customers that the pack is about: of others it tells nothing, not even how much there is. */
async function verify({ sealer, signingKey, checkpointFile, customers }: Sources): Promise<AuditReport> {
  const deps = { db: sealer, signingKey, checkpointFile };
  if (customers.some(({ id }) => id === INSTALLATION)) return verifyAudit(deps);
  const total: AuditReport = { rows: 0, checkpoints: 0, faults: [] };
  for (const { id } of customers) {
    const { rows, checkpoints, faults } = await verifyCustomerAudit(deps, id, async () => undefined);
    total.rows += rows;
    total.checkpoints = checkpoints;
    total.faults.push(...faults);
  }
  return total;
}

/** What each chain ends with: whoever keeps this pack can hold a later log against it. */
export const auditHeads: ReadSection = async ({ sealer, customers }) => {
  const heads = await sealer.untenanted((tx) => tx.selectFrom('audit_heads').selectAll().execute());
  const byCustomer = new Map(heads.map((head) => [head.customer_id, head]));
  return {
    name: 'audit-heads',
    title: 'Heads of the audit chains',
    about: 'The last row and hash of each chain. A log that is checked later has to contain them.',
    columns: ['customer', 'rows', 'sha256', 'rows_signed'],
    rows: customers.flatMap(({ id, username }) => {
      const head = byCustomer.get(id);
      if (head === undefined) return [];
      const { seq, hash, checkpointed_seq } = head;
      return [{ customer: username, rows: seq, sha256: hash.toString('hex'), rows_signed: checkpointed_seq }];
    }),
  };
};

/** That heads were signed all the time: by day, as there is one a minute. */
export const auditCheckpoints: ReadSection = async (sources) => {
  const days = new Map<string, { count: number; first: number; last: number; unsigned: number }>();
  for await (const { day, isSigned, number } of checkpointsOf(sources)) {
    const known = days.get(day) ?? { count: 0, first: number, last: number, unsigned: 0 };
    const unsigned = known.unsigned + (isSigned ? 0 : 1);
    days.set(day, { ...known, count: known.count + 1, last: number, unsigned });
  }
  return {
    name: 'audit-checkpoints',
    title: 'Signed checkpoints of the audit log',
    about: 'How many checkpoints were signed on each day of the period; one whose signature is not valid is a fault.',
    columns: ['day', 'checkpoints', 'first_number', 'last_number', 'not_valid'],
    rows: [...days].map(([day, { count, first, last, unsigned }]) => ({
      day,
      checkpoints: count,
      first_number: first,
      last_number: last,
      not_valid: unsigned,
    })),
  };
};

async function* checkpointsOf({ sealer, signingKey, period }: Sources) {
  const [from, to] = [period.from.toISOString(), period.to.toISOString()];
  for await (const { number, line } of storedCheckpoints(sealer)) {
    const at = timeIn(line);
    if (at < from || at >= to) continue;
    yield { number, day: at.slice(0, 10), isSigned: readCheckpoint(signingKey, line) !== null };
  }
}

/** The time that a line says, also where its signature does not hold. */
function timeIn(line: string): string {
  try {
    return (JSON.parse(line.split('\t')[0] ?? '') as Checkpoint).at;
  } catch {
    return '';
  }
}
