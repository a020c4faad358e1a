import { readFileSync } from 'node:fs';

/** The authorities that the operator trusts beside the system's, in PEM; nothing where there are none. */
export function readAuthorities({ trustedCaFile }: { trustedCaFile: string | null }): { authorities?: string } {
  return trustedCaFile === null ? {} : { authorities: readFileSync(trustedCaFile, 'utf8') };
}
