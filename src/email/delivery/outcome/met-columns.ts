import { toHex } from '../../../platform/db/packed-bytes.ts';
import type { Met } from '../dialogue/courier.ts';
import type { Outcome } from '../dialogue/send.ts';

/** What stands with an attempt that met no TLS at all, by which the next one knows since when. */
const NO_TLS = 'no TLS';

/** What the row of an attempt says of whom it met. */
export function metColumns(met: Met | null, { tls }: Outcome) {
  return {
    peer: met === null ? null : `${met.host} [${met.address}]`,
    mx_host: met?.host ?? null,
    mx_address: met?.address ?? null,
    tls_version: met?.tls.version ?? null,
    tls_cipher: met?.tls.cipher ?? null,
    tls_policy: met?.judgement.policy ?? null,
    tls_verified: met?.judgement.verified ?? null,
    tls_basis: met?.judgement.basis ?? null,
    tls_reason: met?.judgement.reason ?? (tls === 'missing' ? NO_TLS : null),
    certificate_hash: met === null ? null : toHex(met.certificateHash),
  };
}
