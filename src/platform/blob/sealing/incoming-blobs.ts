import type { Clock } from '../../clock.ts';
import type { CustomerVault } from '../../vault/vault.ts';
import { newSeal, type StoredBlob } from '../sealed-blobs.ts';
import type { IncomingFile } from './incoming-file.ts';
import type { SealingThreads } from './threads.ts';

/** A customer's file while it arrives. */
export interface IncomingBlob extends Pick<IncomingFile, 'write' | 'abort'> {
  id: string;
  /** Resolves once the file is durable, with the type that its first bytes give away. */
  end(): Promise<{ blob: StoredBlob; type: string | null }>;
}

/** Begins files of customers that are hashed, sealed and stored by threads while they arrive. */
export type BeginBlob = (keys: CustomerVault, customerId: number, form: { base64: boolean }) => IncomingBlob;

/** Lets files of customers in through the sealing threads. */
export function createIncomingBlobs({ clock, threads }: { clock: Clock; threads: SealingThreads }): BeginBlob {
  return (keys, customerId, { base64 }) => {
    const { id, key, context, fileKey } = newSeal({ clock, keys }, customerId);
    const file = threads.begin({ id, key, context, base64 });
    return {
      id,
      write: file.write,
      abort: file.abort,
      async end() {
        const { size, sha256, type } = await file.end();
        return { blob: { id, customerId, size, sha256: Buffer.from(sha256), fileKey }, type };
      },
    };
  };
}
