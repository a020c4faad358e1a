import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { openBlobStore } from '../../platform/blob/open-blob-store.ts';
import { unguessableId } from '../../platform/ids.ts';
import { type Check, failed, ok, type Verdict, warning } from './check.ts';

/** Whether a file that is written can be read again and removed. */
export const blobStore: Check = {
  name: 'blob-store',
  needs: 'nothing',
  async look({ config: { blobUrl, dataDir } }) {
    if (blobUrl.startsWith('file:') && !existsSync(dataDir))
      return [warning('it is not there yet', 'it is made by the first start')];
    const id = unguessableId();
    const sent = randomBytes(1024);
    const store = await openBlobStore(blobUrl);
    try {
      await store.write(id, piecesOf(sent));
    } catch {
      return [fail('written')];
    }
    const back = await readAll(store.read(id)).catch(() => null);
    const isGone = await store.remove(id).then(
      () => true,
      () => false,
    );
    if (back === null || !back.equals(sent)) return [fail('read again')];
    return [isGone ? ok('a file was written, read again and removed') : fail('removed')];
  },
};

function fail(what: string): Verdict {
  return failed(`a file could not be ${what}`, 'check CAREPOST_BLOB_URL, its permissions and the room that it has');
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function readAll(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
}
