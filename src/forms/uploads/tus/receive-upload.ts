import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import type { PublicForm } from '../../definition/public-forms.ts';
import { removeFiles } from '../../submissions/delete.ts';
import { destroyUploads } from '../destroy-uploads.ts';
import { findUpload, type StoredUpload } from '../upload-row.ts';
import { joinParts } from './join-parts.ts';
import { type PartDeps, takePart } from './take-part.ts';
import type { UnderWay } from './under-way.ts';

export interface ReceiveDeps extends PartDeps {
  underWay: UnderWay;
}

/** Takes in what a request brings, and makes the file whole with its last byte. */
export async function receiveUpload(
  deps: ReceiveDeps,
  upload: StoredUpload,
  { raw }: FastifyRequest,
): Promise<StoredUpload> {
  const cut = () => void raw.destroy();
  return deps.underWay.run(upload.id, cut, () =>
    refusedForGood(deps, upload, async () => {
      const taken = await takePart(deps, upload, raw.iterator({ destroyOnReturn: false }));
      if (taken.received === taken.length && taken.blobId === null) await joinParts(deps, taken);
      return taken;
    }),
  );
}

/** How far a file has come. What is sending it is ended first; one that is all there but not whole becomes so. */
export async function settleUpload(deps: ReceiveDeps, form: PublicForm, token: string): Promise<StoredUpload> {
  const found = await findUpload(deps, form, token);
  await deps.underWay.settle(found.id);
  const upload = await findUpload(deps, form, token);
  if (upload.received < upload.length || upload.blobId !== null) return upload;
  try {
    await refusedForGood(deps, upload, () => joinParts(deps, upload));
  } catch (error) {
    // Another request may have joined them.
    const { blobId } = await findUpload(deps, form, token);
    if (blobId === null) throw error;
  }
  return upload;
}

/** A file that the scanner refuses goes at once: nobody shall send the rest of it. */
async function refusedForGood<T>(deps: ReceiveDeps, upload: StoredUpload, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'unprocessable')) throw error;
    const { customerId, id } = upload;
    await removeFiles(deps.blobStore, await deps.db.tenant([customerId], (tx) => destroyUploads(tx, customerId, [id])));
    throw error;
  }
}
