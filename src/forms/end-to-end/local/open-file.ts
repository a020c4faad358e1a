import { loadAge } from './load-age.ts';

/** Opens one file that was encrypted end to end; throws where it was to none of these identities. */
export async function openFile(identities: readonly string[], sealed: Uint8Array): Promise<Uint8Array> {
  const { openSealed } = await loadAge();
  return openSealed(identities, sealed);
}
