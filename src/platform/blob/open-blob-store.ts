import { fileURLToPath } from 'node:url';
import type { BlobStore } from './blob-store.ts';
import { createDiskStore } from './disk.ts';
import { createS3Store } from './s3.ts';

/** Opens the store that a URL names: `file:///folder` or `s3://bucket/prefix`. Nothing is read or written yet. */
export function openBlobStore(url: string): BlobStore {
  // A file URL cannot be relative: `file:data` would quietly mean `/data`.
  if (url.startsWith('file:///')) return createDiskStore(fileURLToPath(url));
  if (url.startsWith('s3://')) return createS3Store(new URL(url));
  throw new TypeError('A blob store is file:///folder or s3://bucket/prefix');
}
