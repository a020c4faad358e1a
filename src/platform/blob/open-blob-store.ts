import { fileURLToPath } from 'node:url';
import type { BlobStore } from './blob-store.ts';
import { createDiskStore } from './disk.ts';

/** Opens the store that a URL names: `file:///folder` or `s3://bucket/prefix`. Nothing is read or written yet. */
export async function openBlobStore(url: string): Promise<BlobStore> {
  // A file URL cannot be relative: `file:data` would quietly mean `/data`.
  if (url.startsWith('file:///')) return createDiskStore(fileURLToPath(url));
  if (url.startsWith('s3://')) {
    // Loaded where it is needed only: the SDK costs a start more than everything else here.
    const { createS3Store } = await import('./s3.ts');
    return createS3Store(new URL(url));
  }
  throw new TypeError('A blob store is file:///folder or s3://bucket/prefix');
}
