import { withDatabase } from '../../platform/db/database.ts';
import { isHeard, listNodes, type Node } from '../../platform/nodes.ts';
import { readSealLag } from '../watch/seal-lag.ts';
import { type Check, type DatabaseBench, failed, ok, type Verdict, warning } from './check.ts';

const LATE_SEAL_S = 60;

/** The processes that are there, and those that fell silent. */
async function readNodes(bench: DatabaseBench): Promise<{ heard: Node[]; silent: Node[] }> {
  const now = bench.clock.now();
  const all = await withDatabase(bench, 'app', (db) => db.untenanted(listNodes));
  const { heard = [], silent = [] } = Object.groupBy(all, (node) => (isHeard(node, now) ? 'heard' : 'silent'));
  return { heard, silent };
}

/** Whether every process is heard of, and all are of one version. */
export const nodes: Check = {
  name: 'nodes',
  needs: 'database',
  async look(bench) {
    const { heard, silent } = await readNodes(bench);
    const versions = [...new Set(heard.map(({ version }) => version))];
    const verdicts: Verdict[] = [];
    if (silent.length > 0)
      verdicts.push(
        warning(
          `nothing was heard of a process on ${hostsOf(silent).join(', ')}`,
          'see whether it was killed, and why',
        ),
      );
    if (versions.length > 1)
      verdicts.push(warning(`versions ${versions.join(' and ')} run side by side`, 'finish the upgrade'));
    if (heard.length > 0 && !heard.some(({ roles }) => roles.includes('worker')))
      verdicts.push(failed('no process has the role worker: nothing is delivered', 'start one (CAREPOST_ROLES)'));
    return verdicts.length > 0 ? verdicts : [ok(`${heard.length} process(es) running`)];
  },
};

function hostsOf(all: Node[]): string[] {
  return [...new Set(all.map(({ host }) => host))];
}

/** Whether the audit log is being sealed. */
export const auditLog: Check = {
  name: 'audit-log',
  needs: 'database',
  async look(bench) {
    const { clock } = bench;
    const lag = await withDatabase(bench, 'sealer', (sealerDb) => readSealLag({ sealerDb, clock }));
    if (lag <= LATE_SEAL_S) return [ok('sealed up to now')];
    const found = `the oldest row has not been sealed for ${Math.round(lag)} s`;
    const isRunning = (await readNodes(bench)).heard.some(({ roles }) => roles.includes('worker'));
    if (!isRunning) return [warning(found, 'start a process with the role worker: it seals what is open')];
    return [failed(found, 'look for a transaction that is open for long (pg_stat_activity), and at the log')];
  },
};
