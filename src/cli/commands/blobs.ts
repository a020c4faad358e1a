import { INSTALLATION, recordAct } from '../../accounts/index.ts';
import type { Config } from '../../config.ts';
import { type MovedBlobs, moveBlobs } from '../../operations/move/index.ts';
import { openBlobStore } from '../../platform/blob/open-blob-store.ts';
import { type Command, operatorAct, required, UsageError, withDatabaseAsIs, withInstallation } from '../command.ts';

export const blobsMove: Command = {
  name: 'blobs move',
  usage: '--to s3://BUCKET/PREFIX?endpoint=URL',
  about: 'copy every file into another store and compare them, while nothing serves; run again if cut off',
  options: { to: { type: 'string' } },
  async run(invocation) {
    const { config } = invocation;
    const to = addressOf(required(invocation, 'to'));
    if (to.href === new URL(config.blobUrl).href) throw new UsageError('--to names the store that is in use');
    const stores = { from: await openBlobStore(config.blobUrl), to: await openBlobStore(to.href) };
    const moved = await withDatabaseAsIs(config, (url) => moveBlobs(url, stores));
    await noteMove(config, moved);
    if (to.password !== '') to.password = 'SECRET';
    const { files, bytes, found } = moved;
    const lines = [
      `${files} files with ${bytes} bytes are equal in both stores, ${found} of them from an earlier try.`,
      `Set CAREPOST_BLOB_URL=${to.href} on every node, and start them. Remove the old files once you trust the new ones.`,
    ];
    return { json: { files, bytes, found }, text: lines.join('\n') };
  },
};

function addressOf(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^(file:\/\/\/|s3:\/\/[^/?])/.test(text)) {
    throw new UsageError('--to takes what CAREPOST_BLOB_URL takes: file:///folder or s3://bucket/prefix');
  }
  return url;
}

async function noteMove(config: Config, { files, bytes }: MovedBlobs): Promise<void> {
  await withInstallation(config, ({ db, clock }) =>
    db.tenant([INSTALLATION], (tx) =>
      recordAct(tx, clock, operatorAct(INSTALLATION, 'files.moved'), { details: { files, bytes } }),
    ),
  );
}
