import { INSTALLATION, listCustomers, loadSigningKey } from '../accounts/index.ts';
import { readEnvironment } from '../config.ts';
import { checkpointFileOf, type Installation } from '../installation.ts';
import { PackBroken, type Period, verifyPack, writePack } from '../operations/evidence-pack/index.ts';
import { openDatabase } from '../platform/db/database.ts';
import {
  type Command,
  type Invocation,
  knownCustomer,
  operatorAct,
  required,
  UsageError,
  withInstallation,
} from './command.ts';

const DAY = 24 * 3600_000;
const NOT_COMPARED =
  'The key was NOT compared: whoever made the pack may have signed it with a key of their own. Give its fingerprint with --key.';

export const evidencePack: Command = {
  name: 'evidence',
  usage: '--from DAY --to DAY --out DIR [--customer ID]',
  about: 'write what auditors ask for of a period into a new folder: access, audit log, agreements, keys, versions',
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    out: { type: 'string' },
    customer: { type: 'string' },
  },
  run: (invocation) => {
    if (invocation.positionals.length > 0) throw new UsageError('no such command: carepost help lists them');
    const period = readPeriod(invocation);
    const out = required(invocation, 'out');
    return withInstallation(invocation.config, async (installation) => {
      const customers = await customersOf(installation, invocation);
      const sealer = openDatabase(installation, 'sealer', 1);
      try {
        const sources = {
          installation,
          sealer,
          signingKey: await loadSigningKey(installation),
          checkpointFile: checkpointFileOf(installation.config.dataDir),
          environment: readEnvironment(),
          period,
          customers,
        };
        const pack = await writePack(sources, (id) => operatorAct(id, 'evidence.pack-written'), out);
        const { files, sections, fingerprint } = pack;
        const lines = sections.map(({ name, rows }) => `${name}: ${rows}`);
        return {
          json: { folder: out, files, key: fingerprint, sections },
          text: [...lines, `${out}: ${files} files, signed with the key ${fingerprint}`].join('\n'),
        };
      } finally {
        await sealer.close();
      }
    });
  },
};

export const evidenceVerifyPack: Command = {
  name: 'evidence verify-pack',
  usage: 'DIR [--key FINGERPRINT]',
  about: 'check such a folder; needs neither database nor settings nor network',
  options: { key: { type: 'string' } },
  run: async ({ positionals, options }) => {
    const [folder] = positionals;
    if (folder === undefined || positionals.length > 1) throw new UsageError('a folder is required, and nothing else');
    const key = options.key?.toLowerCase() ?? null;
    try {
      const { contents, fingerprint } = await verifyPack(folder, key);
      const { from, to, customers, madeAt, files } = contents;
      const json = { ok: true, key: fingerprint, key_compared: key !== null, from, to, customers, made_at: madeAt };
      const lines = [
        `GENUINE: evidence of ${from} to ${to}, made ${madeAt}, ${files.length} files`,
        `Signed with the key ${fingerprint}`,
        ...(key === null ? [NOT_COMPARED] : []),
      ];
      return { json, text: lines.join('\n') };
    } catch (error) {
      if (!(error instanceof PackBroken)) throw error;
      return { json: { ok: false, fault: error.message }, text: `NOT PROVED: ${error.message}`, failed: true };
    }
  },
};

/** All customers and the installation itself, or the one that is named. */
async function customersOf(installation: Installation, invocation: Invocation) {
  const all = await listCustomers(installation.db);
  if (invocation.options.customer === undefined) return [{ id: INSTALLATION, username: 'installation' }, ...all];
  const wanted = await knownCustomer(installation, invocation);
  return all.filter(({ id }) => id === wanted);
}

function readPeriod(invocation: Invocation): Period {
  const [from, last] = [readDay(invocation, 'from'), readDay(invocation, 'to')];
  if (last < from) throw new UsageError('--to takes a day that is not before --from');
  return { from, to: new Date(last.getTime() + DAY) };
}

function readDay(invocation: Invocation, name: string): Date {
  const text = required(invocation, name);
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(text) : null;
  if (day === null || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text))
    throw new UsageError(`--${name} takes a day such as 2026-01-31`);
  return day;
}
