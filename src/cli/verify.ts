import { readFileSync } from 'node:fs';
import { CertificateBroken, checkCertificate, openSealKey, readFingerprints, tellCertificate } from '../forms/index.ts';
import { type Command, type Invocation, type Output, UsageError, withInstallation } from './command.ts';
import { destructionVerify } from './destruction.ts';

export const verifyFile: Command = {
  name: 'verify',
  usage: 'FILE [--key FINGERPRINT]',
  about:
    'check a certificate of a signed submission, or of destruction; needs neither database nor settings nor network',
  options: { key: { type: 'string' } },
  run: async (invocation) => {
    const file = readGiven(invocation);
    if (file.subarray(0, 5).toString('latin1') === '%PDF-') return verifyPdf(file, knownKey(invocation));
    if (file[0] === 0x7b) return destructionVerify.run(invocation);
    throw new UsageError('the file is no certificate: those are PDF files, and JSON where they are of destruction');
  },
};

export const certificateKey: Command = {
  name: 'certificate key',
  usage: '',
  about: 'print the fingerprint of the key that seals certificates, for others to compare',
  run: ({ config }) =>
    withInstallation(config, async ({ db, vault, clock }) => {
      const load = openSealKey({ db, vault, clock, files: config.seal, name: config.heloName });
      const { fingerprint, earlier, certificates } = await load();
      const lines = certificates[0].toString('base64').match(/.{1,64}/g) ?? [];
      const pem = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n');
      const before = earlier.map((each) => `earlier: ${each}`);
      return { json: { fingerprint, certificate: pem, earlier }, text: [fingerprint, pem, ...before].join('\n') };
    }),
};

async function verifyPdf(file: Buffer, known: string[] | null): Promise<Output> {
  try {
    const checked = await checkCertificate(file, known);
    const { record, fingerprint, sealedBy, isCompared, timeStamp } = checked;
    const json = {
      ok: true,
      key: fingerprint,
      key_compared: isCompared,
      sealed_by: sealedBy,
      time_stamp: timeStamp,
      record,
    };
    return { json, text: tellCertificate(checked).join('\n') };
  } catch (error) {
    if (!(error instanceof CertificateBroken)) throw error;
    return { json: { ok: false, fault: error.message }, text: `NOT PROVED: ${error.message}`, failed: true };
  }
}

function readGiven({ positionals }: Invocation): Buffer {
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new UsageError('one file is required, and nothing else');
  try {
    return readFileSync(file);
  } catch {
    throw new UsageError('the file cannot be read');
  }
}

function knownKey({ options }: Invocation): string[] | null {
  if (options.key === undefined) return null;
  const key = readFingerprints(options.key);
  if (key === null) throw new UsageError('--key takes a fingerprint, 64 hexadecimal digits, or several with commas');
  return key;
}
