import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { assertBlobId, assertRange, BlobMissing, type BlobStore, type ByteRange, isBlobId } from './blob-store.ts';

// The smallest part that S3 takes, one at a time: what a writer holds in memory is a few of them.
const PART_SIZE = 5 * 1024 * 1024;
const PARTS_AT_ONCE = 1;

/** Keeps blobs in a bucket: s3://key:secret@bucket/prefix?endpoint=…&region=…&pathStyle=true, all but the bucket optional. */
export function createS3Store(url: URL): BlobStore {
  const client = connect(url);
  const Bucket = url.hostname;
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+/, '').replace(/[^/]$/, '$&/');

  function addressOf(id: string): { Bucket: string; Key: string } {
    assertBlobId(id);
    return { Bucket, Key: prefix + id };
  }

  async function write(id: string, source: AsyncIterable<Uint8Array>): Promise<{ size: number }> {
    const address = addressOf(id);
    let sent = 0;
    let failure: unknown;
    let reading = true;
    async function* watched(): AsyncGenerator<Uint8Array> {
      try {
        for await (const bytes of source) {
          sent += bytes.byteLength;
          reading = false;
          yield bytes;
          reading = true;
        }
      } catch (error) {
        // A stream closed early throws into the generator too, but where it yields.
        if (reading) failure = error;
        throw error;
      }
    }
    const params = { ...address, Body: Readable.from(watched()) };
    try {
      // Sends one PUT or a multipart upload; when anything fails it aborts that and closes the source.
      await new Upload({ client, params, queueSize: PARTS_AT_ONCE, partSize: PART_SIZE }).done();
      return { size: sent };
    } catch (error) {
      // The abort may fail as well, and its error would hide why there was one.
      throw failure ?? error;
    }
  }

  async function* read(id: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const address = addressOf(id);
    if (range) assertRange(range);
    if (range && range.start === range.end) {
      // HTTP cannot say an empty range, but a missing blob shall be told all the same.
      await size(id);
      return;
    }
    const part = range && { Range: `bytes=${range.start}-${range.end - 1}` };
    const found = await client.send(new GetObjectCommand({ ...address, ...part })).catch((error: unknown) => {
      if (isOutOfRange(error)) return { Body: Readable.from([]) };
      return throwMissing(id, error);
    });
    if (!(found.Body instanceof Readable)) throw new TypeError('The S3 client gave no stream');
    yield* found.Body;
  }

  async function size(id: string): Promise<number> {
    const found = await client
      .send(new HeadObjectCommand(addressOf(id)))
      .catch((error: unknown) => throwMissing(id, error));
    return found.ContentLength ?? 0;
  }

  async function remove(id: string): Promise<void> {
    await client.send(new DeleteObjectCommand(addressOf(id)));
  }

  async function* list(): AsyncGenerator<{ id: string; writtenAt: Date }> {
    for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })) {
      for (const { Key = '', LastModified } of page.Contents ?? []) {
        const id = Key.slice(prefix.length);
        if (isBlobId(id) && LastModified) yield { id, writtenAt: LastModified };
      }
    }
  }

  async function removeUnfinished(before: Date): Promise<number> {
    let removed = 0;
    let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
    while (from) {
      const page: ListMultipartUploadsCommandOutput = await client.send(
        new ListMultipartUploadsCommand({ Bucket, Prefix: prefix, ...from }),
      );
      for (const { Key = '', UploadId, Initiated } of page.Uploads ?? []) {
        if (!isBlobId(Key.slice(prefix.length)) || !Initiated || Initiated >= before) continue;
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
        removed++;
      }
      from = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : undefined;
    }
    return removed;
  }

  async function check(): Promise<void> {
    const address = { Bucket, Key: `${prefix}check` };
    await client.send(new PutObjectCommand({ ...address, Body: 'check' }));
    await client.send(new DeleteObjectCommand(address));
  }

  return { write, read, size, remove, list, removeUnfinished, check };
}

function connect(url: URL): S3Client {
  const endpoint = url.searchParams.get('endpoint');
  const region = url.searchParams.get('region') ?? (endpoint && 'us-east-1');
  const credentials = url.username && {
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  };
  return new S3Client({
    ...(endpoint && { endpoint }),
    ...(region && { region }),
    ...(credentials && { credentials }),
    forcePathStyle: url.searchParams.get('pathStyle') === 'true',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
    // The signature covers each part, and a blob has its seal; stores other than Amazon's do not all know these.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

function isOutOfRange(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 416;
}

function throwMissing(id: string, error: unknown): never {
  throw error instanceof NoSuchKey || error instanceof NotFound ? new BlobMissing(id, { cause: error }) : error;
}
