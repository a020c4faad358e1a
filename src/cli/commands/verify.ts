import { CertificateBroken, checkCertificate, openSealKey, tellCertificate } from '../../forms/index.ts';
import { type Command, type Output, withInstallation } from '../command.ts';
import { knownKeys, readGiven, verdict } from '../verification.ts';
import { tellDestruction } from './destruction.ts';

export const verifyFile: Command = {
  name: 'verify',
  takes: 'FILE',
  usage: '[--key FINGERPRINT,…]',
  about:
    'check a certificate of a signed submission, or of destruction; needs neither database nor settings nor network',
  options: { key: { type: 'string' } },
  run: async (invocation) => {
    const [file, keys] = [readGiven(invocation), knownKeys(invocation)];
    if (file.subarray(0, 5).toString('latin1') === '%PDF-') return tellPdf(file, keys);
    if (file[0] === 0x7b) return tellDestruction(file, keys);
    throw new Error('the file is no certificate: those are PDF files, and JSON where they are of destruction');
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

function tellPdf(file: Buffer, keys: string[] | null): Promise<Output> {
  return verdict(CertificateBroken, async () => {
    const checked = await checkCertificate(file, keys);
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
  });
}
