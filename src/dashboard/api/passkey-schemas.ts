import { type Static, Type } from 'typebox';

const LONGEST = 20_000;
const Encoded = Type.String({ maxLength: LONGEST, pattern: '^[A-Za-z0-9_-]*$' });
const PublicKey = Type.Literal('public-key');
const Transports = Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 });
const Extensions = Type.Object({});

/** What a browser answers when it has made a passkey. */
export const PasskeyRegistration = Type.Object({
  id: Encoded,
  rawId: Encoded,
  type: PublicKey,
  response: Type.Object({
    clientDataJSON: Encoded,
    attestationObject: Encoded,
    transports: Type.Optional(Transports),
  }),
  clientExtensionResults: Extensions,
});

/** What a browser answers when somebody shows a passkey. */
export const PasskeyAssertion = Type.Object({
  id: Encoded,
  rawId: Encoded,
  type: PublicKey,
  response: Type.Object({
    clientDataJSON: Encoded,
    authenticatorData: Encoded,
    signature: Encoded,
  }),
  clientExtensionResults: Extensions,
});
export type PasskeyAssertion = Static<typeof PasskeyAssertion>;

const Descriptor = Type.Object({
  id: Type.String(),
  type: Type.String(),
  transports: Type.Optional(Type.Array(Type.String())),
});

/** What a browser needs to make a passkey. */
export const CreationOptions = Type.Object({
  rp: Type.Object({ name: Type.String(), id: Type.Optional(Type.String()) }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  challenge: Type.String(),
  pubKeyCredParams: Type.Array(Type.Object({ alg: Type.Number(), type: Type.String() })),
  timeout: Type.Optional(Type.Number()),
  excludeCredentials: Type.Optional(Type.Array(Descriptor)),
  authenticatorSelection: Type.Optional(
    Type.Object({
      residentKey: Type.Optional(Type.String()),
      requireResidentKey: Type.Optional(Type.Boolean()),
      userVerification: Type.Optional(Type.String()),
    }),
  ),
  attestation: Type.Optional(Type.String()),
});

/** What a browser needs to have a passkey shown. */
export const RequestOptions = Type.Object({
  challenge: Type.String(),
  timeout: Type.Optional(Type.Number()),
  rpId: Type.Optional(Type.String()),
  allowCredentials: Type.Optional(Type.Array(Descriptor)),
  userVerification: Type.Optional(Type.String()),
});
