import { readFileSync } from 'node:fs';

/** The authorities that the operator trusts beside the system's, in PEM; nothing where there are none. */
export function readAuthorities({ trustedCaFile }: { trustedCaFile: string | null }): { authorities?: string } {
  if (trustedCaFile === null) return {};
  try {
    return { authorities: readFileSync(trustedCaFile, 'utf8') };
  } catch (error) {
    throw new Error('CAREPOST_TRUSTED_CA_FILE takes a PEM file that can be read', { cause: error });
  }
}
