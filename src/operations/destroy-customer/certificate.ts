import { type Static, Type } from 'typebox';
import { type Signed, type SigningKey, signContents, verifyContents } from '../../accounts/index.ts';

const closed = { additionalProperties: false };
const Moment = Type.String({ format: 'date-time' });

const FORMAT = 'carepost customer destruction 1';
const METHOD = 'The keys of the customer were destroyed first, then its files and rows were removed.';

const CustomerDestruction = Type.Object(
  {
    format: Type.Literal(FORMAT),
    id: Type.String({ format: 'uuid' }),
    customerId: Type.Integer(),
    username: Type.String(),
    beganAt: Moment,
    at: Moment,
    actor: Type.Object({ kind: Type.String(), id: Type.String() }, closed),
    reason: Type.Union([Type.String(), Type.Null()], { description: 'why nobody waited' }),
    method: Type.Literal(METHOD),
    keys: Type.Object(
      {
        store: Type.String(),
        destroyedAt: Moment,
        backupsExpireOn: Type.Union([Type.String({ format: 'date' }), Type.Null()]),
      },
      closed,
    ),
    removed: Type.Record(Type.String(), Type.Integer(), { description: 'rows by table; blobs are files' }),
    kept: Type.Record(Type.String(), Type.String(), { description: 'tables that keep rows, and why' }),
    publicKey: Type.String({ description: 'Ed25519, as SPKI in base64' }),
  },
  closed,
);
export type CustomerDestruction = Static<typeof CustomerDestruction>;

/** Signs that a customer was destroyed: what there was by kind and number, and nothing of what it said. */
export function certifyCustomer(
  key: SigningKey,
  told: Omit<CustomerDestruction, 'format' | 'method' | 'publicKey'>,
): Signed<CustomerDestruction> {
  return signContents(key, { format: FORMAT, ...told, method: METHOD } as const);
}

/** Whether a file says of itself that it is about a whole customer. */
export function isAboutCustomer(bytes: Uint8Array): boolean {
  return Buffer.from(bytes).includes(FORMAT);
}

/** Checks such a certificate without database or network; throws SignatureBroken where it is not as it was signed. */
export function verifyCustomerDestruction(bytes: Uint8Array, keys: readonly string[] | null) {
  return verifyContents(bytes, { schema: CustomerDestruction, name: 'certificate of destruction' }, keys);
}
