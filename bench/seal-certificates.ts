// Sealed certificates per second and core, beside the same pages unsealed and the seal alone, one after the other in one
// process. `--count N` for more of each.
import { parseArgs } from 'node:util';
import { sampleRecord, sampleSealKey } from '../src/forms/certificate/certificate.examples.ts';
import { checkCertificate } from '../src/forms/certificate/check/check-certificate.ts';
import { sealPdf } from '../src/forms/certificate/seal.ts';
import { writeCertificate } from '../src/forms/certificate/write-certificate.ts';

const MOST_RATIO = 3;
const WARMUP = 20;
const { values } = parseArgs({ options: { count: { type: 'string', default: '300' } } });
const count = Number(values.count);

const key = await sampleSealKey();
const record = sampleRecord(key);
const seal = { at: new Date(record.made_at), stampTime: null };
const pages = await writeCertificate(record);
const sealed = await sealPdf(pages, key, seal);

/** CPU seconds of this process for each of these, all threads together. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  for (let at = 0; at < WARMUP; at += 1) await work();
  const before = process.cpuUsage();
  for (let at = 0; at < count; at += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6 / count;
}

function tell(name: string, seconds: number): void {
  process.stdout.write(
    `${name}: ${(1 / seconds).toFixed(0)} per second and core, ${(seconds * 1000).toFixed(2)} ms each\n`,
  );
}

const unsealed = await cpuOf(() => writeCertificate(record));
const whole = await cpuOf(async () => checkCertificate(await sealPdf(await writeCertificate(record), key, seal), null));
const sealing = await cpuOf(() => sealPdf(pages, key, seal));
const checking = await cpuOf(() => checkCertificate(sealed, [key.fingerprint]));
tell('pages unsealed', unsealed);
tell('written, sealed and checked', whole);
tell('the seal alone', sealing);
tell('a check alone', checking);
const ratio = whole / unsealed;
process.stdout.write(`a certificate costs ${ratio.toFixed(2)} times its pages unsealed (at most ${MOST_RATIO})\n`);
process.exitCode = ratio <= MOST_RATIO ? 0 : 1;
