import { type KeyObject, sign, verify } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { SigningKey } from '../../accounts/index.ts';
import { AttemptEvidence } from './attempt-evidence.ts';

const closed = { additionalProperties: false };
const OrNull = Type.Union([Type.String(), Type.Null()]);
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Count = Type.Integer({ minimum: 0 });

const Row = Type.Object(
  {
    id: Type.String(),
    customer_id: Type.Integer(),
    at: Type.String(),
    actor_kind: Type.String(),
    actor_id: Type.String(),
    action: Type.String(),
    target: OrNull,
    request_id: OrNull,
    details: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  },
  closed,
);

const Head = Type.Object(
  {
    customer: Type.Integer(),
    seq: Count,
    hash: Hash,
    checkpoint: Count,
    at: Type.String(),
    signature: Type.String(),
  },
  closed,
);

const Contents = Type.Object(
  {
    format: Type.Literal('carepost evidence 1'),
    customerId: Type.Integer(),
    messageId: Type.String(),
    exportedAt: Type.String(),
    publicKey: Type.String({ description: 'Ed25519, as SPKI in base64' }),
    attempts: Type.Array(
      Type.Object(
        {
          evidence: AttemptEvidence,
          salt: Type.String({ pattern: '^[0-9a-f]{32}$' }),
          batch: Type.String({ description: 'the audit row that the evidence stands in' }),
          position: Count,
        },
        closed,
      ),
    ),
    without: Type.Integer({
      minimum: 0,
      description:
        'attempts without evidence: under way, held back before any server was asked, or from before any was kept',
    }),
    batches: Type.Array(Type.Object({ id: Type.String(), leaves: Type.Array(Hash) }, closed)),
    stretches: Type.Array(
      Type.Object({ seq: Type.Integer({ minimum: 1 }), previous: Hash, rows: Type.Array(Row), head: Head }, closed),
    ),
  },
  closed,
);

/** Everything that shows to somebody without access how a message was delivered. */
export const EvidenceBundle = Type.Object({ contents: Contents, signature: Type.String() }, closed);
export type EvidenceBundle = Static<typeof EvidenceBundle>;
export type BundleContents = Static<typeof Contents>;

/** Signs what is handed out, so that nothing can be taken from it later either. */
export function signBundle({ privateKey }: SigningKey, contents: BundleContents): EvidenceBundle {
  return { contents, signature: sign(null, signedText(contents), privateKey).toString('base64') };
}

/** Whether a bundle is as the holder of the key has signed it. */
export function bundleIsSigned(publicKey: KeyObject, { contents, signature }: EvidenceBundle): boolean {
  const bytes = Buffer.from(signature, 'base64');
  return bytes.toString('base64') === signature && verify(null, signedText(contents), publicKey, bytes);
}

function signedText(contents: BundleContents): Buffer {
  return Buffer.from(`carepost evidence\n${JSON.stringify(inOrder(contents))}`);
}

/** The same value with the keys of every object in order: the order in a file says nothing. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([name, part]) => [name, inOrder(part)]);
}
