import { INSTALLATION, listCustomers, loadSigningKey, SignatureBroken } from '../../accounts/index.ts';
import { readEnvironment } from '../../config.ts';
import { checkpointFileOf, type Installation } from '../../installation.ts';
import { type Period, verifyPack, writePack } from '../../operations/evidence-pack/index.ts';
import { openDatabase } from '../../platform/db/database.ts';
import {
  type Command,
  type Invocation,
  knownCustomer,
  operatorAct,
  required,
  UsageError,
  withInstallation,
} from '../command.ts';
import { readDay } from '../read-time.ts';
import { knownKeys, notCompared, verdict } from '../verification.ts';

const DAY = 24 * 3600_000;

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
  takes: 'DIR',
  usage: '[--key FINGERPRINT,…]',
  about: 'check such a folder; needs neither database nor settings nor network',
  options: { key: { type: 'string' } },
  run: async (invocation) => {
    const keys = knownKeys(invocation);
    return verdict(SignatureBroken, async () => {
      const { contents, fingerprint } = await verifyPack(invocation.given, keys);
      const { from, to, customers, madeAt, files } = contents;
      const json = { ok: true, key: fingerprint, key_compared: keys !== null, from, to, customers, made_at: madeAt };
      const lines = [
        `GENUINE: evidence of ${from} to ${to}, made ${madeAt}, ${files.length} files`,
        `Signed with the key ${fingerprint}`,
        ...notCompared('pack', keys),
      ];
      return { json, text: lines.join('\n') };
    });
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
