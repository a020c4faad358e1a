import { requireThat } from './broken.ts';
import { type Bytes, hashOf, hexOf, isSame } from './bytes.ts';
import { inside, readOne, TAG } from './der.ts';
import { digestOf } from './public-key.ts';
import { checkSignedData, readSignedData, type SignedData, writeSignedData } from './signed-data.ts';
import { isVouchedFor, timeOf } from './x509.ts';

/** When an authority saw a signature. */
export interface TimeStamp {
  at: Date;
  /** The name in the authority's certificate, and that certificate's SHA-256. */
  by: string;
  fingerprint: string;
}

const TST_INFO = '2a864886f70d0109100104';
const TIME_STAMPING = '2b06010505070308';

/**
 * A time stamp token (RFC 3161) as certificates hold it: without what its authority did not sign, and with those
 * certificates only that one beside them vouches for.
 */
export async function trimToken(token: Uint8Array): Promise<Bytes> {
  const data = readSignedData(token);
  return writeSignedData({ ...data, timeStamp: null, certificates: await vouched(data) });
}

/** Throws unless the token stamps this signature and every byte of it is accounted for. */
export async function checkToken(token: Uint8Array, stamped: Uint8Array): Promise<TimeStamp> {
  const data = readSignedData(token);
  requireThat(isSame(token, await trimToken(token)), 'the time stamp has been changed');
  const { content, contentType, signer } = data;
  requireThat(contentType === TST_INFO && content !== null, 'the time stamp is none');
  requireThat(signer.purposes?.includes(TIME_STAMPING) === true, 'the time stamp is not by an authority for time');
  await checkSignedData(data, content);
  const [, , imprint, , time] = inside(readOne(content, TAG.sequence), TAG.sequence);
  const [algorithm, hash] = inside(imprint, TAG.sequence);
  requireThat(algorithm !== undefined && hash?.tag === TAG.octets && time !== undefined, 'the time stamp is none');
  const expected = await hashOf(digestOf(algorithm.whole), stamped);
  requireThat(isSame(hash.content, expected), 'the time stamp is one of something else');
  const at = timeOf(time);
  requireThat(signer.notBefore <= at && at <= signer.notAfter, 'the time stamp is by a certificate out of its time');
  return { at, by: signer.name, fingerprint: await authorityOf(token) };
}

/** Whose certificate a token is by: its SHA-256. */
export async function authorityOf(token: Uint8Array): Promise<string> {
  return hexOf(await hashOf('SHA-256', readSignedData(token).signer.der));
}

/** The signer's certificate, which the signature names, and those that are signed by another of them. */
async function vouched({ signer, certificates }: SignedData): Promise<SignedData['certificates']> {
  const kept = [];
  for (const certificate of certificates) {
    const isNeeded = certificate === signer || (await isVouchedFor(certificate, certificates).catch(() => false));
    if (isNeeded) kept.push(certificate);
  }
  return kept;
}
