import { requireThat } from './broken.ts';
import { type Bytes, bytesOfHex, hashOf, isSame } from './bytes.ts';
import { context, type Der, der, inside, oidOf, readOne, TAG } from './der.ts';
import { digestOf, holdsSignature, plainDigest, plainSignature } from './public-key.ts';
import { type Certificate, readCertificate } from './x509.ts';

/** What counts of a CMS signature by one signer (RFC 5652 5). */
export interface SignedData {
  contentType: string;
  /** What is signed, where it stands in the signature itself. */
  content: Bytes | null;
  certificates: Certificate[];
  signer: Certificate;
  digestAlgorithm: Bytes;
  /** The signed attributes, without tag and length. */
  attributes: Bytes;
  signatureAlgorithm: Bytes;
  signature: Bytes;
  timeStamp: Bytes | null;
}

export const DATA = '2a864886f70d010701';
const SIGNED_DATA = '2a864886f70d010702';
const CONTENT_TYPE = '2a864886f70d010903';
const MESSAGE_DIGEST = '2a864886f70d010904';
const SIGNING_CERTIFICATE = '2a864886f70d010910020c';
const SIGNING_CERTIFICATE_V2 = '2a864886f70d010910022f';
const TIME_STAMP = '2a864886f70d010910020e';
const ODD = 'the signature is not of the kind that certificates have';

/** Reads a signature; what is neither signed nor needed is passed over. */
export function readSignedData(bytes: Uint8Array): SignedData {
  const [type, wrapped] = inside(readOne(bytes, TAG.sequence), TAG.sequence);
  requireThat(oidOf(type) === SIGNED_DATA, ODD);
  const [signedData] = inside(wrapped, context(0));
  const [, , encapsulated, ...rest] = inside(signedData, TAG.sequence);
  const [contentType, content] = inside(encapsulated, TAG.sequence);
  const certificates = inside(
    rest.find(({ tag }) => tag === context(0)),
    context(0),
  ).map(({ whole }) => readCertificate(whole));
  const signers = inside(rest.at(-1), TAG.set);
  requireThat(signers.length === 1, ODD);
  const [, sid, digestAlgorithm, attributes, signatureAlgorithm, signature, unsigned] = inside(
    signers[0],
    TAG.sequence,
  );
  const signer = certificates.find(
    ({ issuer, serial }) => sid !== undefined && isSame(sid.whole, sidOf(issuer, serial)),
  );
  requireThat(signer !== undefined && digestAlgorithm !== undefined && attributes?.tag === context(0), ODD);
  requireThat(signatureAlgorithm !== undefined && signature?.tag === TAG.octets, ODD);
  return {
    contentType: oidOf(contentType),
    content: content === undefined ? null : contentOf(content),
    certificates,
    signer,
    digestAlgorithm: digestAlgorithm.whole,
    attributes: attributes.content,
    signatureAlgorithm: signatureAlgorithm.whole,
    signature: signature.content,
    timeStamp: unsigned === undefined ? null : timeStampIn(unsigned),
  };
}

/** Writes a signature in the one way that is taken as such: nothing in it may be changed without being found. */
export function writeSignedData(data: SignedData): Bytes {
  const { contentType, content, certificates, signer, timeStamp } = data;
  const digestAlgorithm = plainDigest(data.digestAlgorithm);
  const { algorithm, signature } = plainSignature({
    publicKey: signer.publicKey,
    digest: digestAlgorithm,
    algorithm: data.signatureAlgorithm,
    signature: data.signature,
  });
  const signerInfo = der(
    TAG.sequence,
    der(TAG.integer, Uint8Array.of(1)),
    sidOf(signer.issuer, signer.serial),
    digestAlgorithm,
    der(context(0), data.attributes),
    algorithm,
    der(TAG.octets, signature),
    ...(timeStamp === null ? [] : [der(context(1), attribute(TIME_STAMP, timeStamp))]),
  );
  const signedData = der(
    TAG.sequence,
    // RFC 5652 5.1
    der(TAG.integer, Uint8Array.of(contentType === DATA ? 1 : 3)),
    der(TAG.set, digestAlgorithm),
    der(TAG.sequence, oid(contentType), ...(content === null ? [] : [der(context(0), der(TAG.octets, content))])),
    der(context(0), ...certificates.map((certificate) => certificate.der)),
    der(TAG.set, signerInfo),
  );
  return der(TAG.sequence, oid(SIGNED_DATA), der(context(0), signedData));
}

/** Throws unless the signer signed what has this content, and named the certificate itself in what was signed. */
export async function checkSignedData(data: SignedData, content: Bytes): Promise<void> {
  const { signer, digestAlgorithm, attributes, signatureAlgorithm: algorithm, signature } = data;
  const digest = digestOf(digestAlgorithm);
  const signed = der(TAG.set, attributes);
  const [contentType, ...otherTypes] = valuesOf(signed, CONTENT_TYPE);
  requireThat(oidOf(contentType) === data.contentType && otherTypes.length === 0, ODD);
  const [hash, ...otherHashes] = valuesOf(signed, MESSAGE_DIGEST);
  requireThat(hash?.tag === TAG.octets && otherHashes.length === 0, ODD);
  requireThat(isSame(hash.content, await hashOf(digest, content)), 'what was signed has been changed');
  requireThat(await namesCertificate(signed, signer), 'another certificate stands in the place of the signer’s');
  const holds = await holdsSignature(signer.publicKey, { algorithm, digest, signature, signed });
  requireThat(holds, 'the signature is not by the certificate that it names');
}

/** RFC 2634 5.4 and RFC 5035 3: the hash of the signer's certificate is among what is signed. */
async function namesCertificate(attributes: Uint8Array, { der: certificate }: Certificate): Promise<boolean> {
  const [newer] = valuesOf(attributes, SIGNING_CERTIFICATE_V2);
  const [older] = valuesOf(attributes, SIGNING_CERTIFICATE);
  const [list] = inside(newer ?? older, TAG.sequence);
  const [first] = inside(list, TAG.sequence);
  const [one, two] = inside(first, TAG.sequence);
  const isNamed = newer !== undefined && one?.tag === TAG.sequence;
  const algorithm = newer === undefined ? 'SHA-1' : isNamed ? digestOf(one.whole) : 'SHA-256';
  const hash = isNamed ? two : one;
  return hash?.tag === TAG.octets && isSame(hash.content, await hashOf(algorithm, certificate));
}

function valuesOf(attributes: Uint8Array, wanted: string): Der[] {
  return inside(readOne(attributes, TAG.set), TAG.set).flatMap((each) => {
    const [type, values] = inside(each, TAG.sequence);
    return oidOf(type) === wanted ? inside(values, TAG.set) : [];
  });
}

function timeStampIn(unsigned: Der): Bytes | null {
  requireThat(unsigned.tag === context(1), ODD);
  const [token, ...more] = valuesOf(der(TAG.set, unsigned.content), TIME_STAMP);
  requireThat(more.length === 0, ODD);
  return token?.whole ?? null;
}

function contentOf(content: Der): Bytes {
  const [octets] = inside(content, context(0));
  requireThat(octets?.tag === TAG.octets, ODD);
  return octets.content;
}

function sidOf(issuer: Uint8Array, serial: Uint8Array): Bytes {
  return der(TAG.sequence, issuer, serial);
}

function attribute(type: string, value: Uint8Array): Bytes {
  return der(TAG.sequence, oid(type), der(TAG.set, value));
}

function oid(name: string): Bytes {
  return der(TAG.oid, bytesOfHex(name));
}
