import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

export const BUCKET = 'blobs';
const PAGE = 3;

type Context = Parameters<S3rver['middleware'][number]>[0];

/**
 * An S3 server on a free port of the loopback address. What s3rver lacks is added: aborting and listing multipart
 * uploads, and paged listing (its own needs DES). Pages are short so that a few blobs make several.
 */
export async function startS3(directory: string) {
  const s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory,
    silent: true,
    configureBuckets: [{ name: BUCKET }],
  });
  const uploads = join(directory, BUCKET, '._S3rver_uploads');
  let refused = '';
  const pendingUploads = () => readdir(uploads).catch(() => []);

  async function listUploads(context: Context): Promise<void> {
    const all = await Promise.all(
      (await pendingUploads()).map(async (id) => ({
        id,
        key: await readFile(join(uploads, id, 'key'), 'utf8'),
        begun: (await stat(join(uploads, id, 'key'))).mtime,
      })),
    );
    const sorted = all.toSorted((one, two) => (one.key + one.id < two.key + two.id ? -1 : 1));
    const marker = (context.query['key-marker'] ?? '') + (context.query['upload-id-marker'] ?? '');
    const rest = sorted.filter(
      ({ key, id }) => key.startsWith(context.query.prefix ?? '') && (marker === '' || key + id > marker),
    );
    const page = rest.slice(0, PAGE);
    const last = page.at(-1);
    answer(
      context,
      'ListMultipartUploadsResult',
      page.map(
        ({ id, key, begun }) =>
          `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun.toISOString()}</Initiated></Upload>`,
      ),
      rest.length > PAGE,
      `<NextKeyMarker>${last?.key}</NextKeyMarker><NextUploadIdMarker>${last?.id}</NextUploadIdMarker>`,
    );
  }

  async function listObjects(context: Context): Promise<void> {
    const { objects, isTruncated } = await s3.store.listObjects(BUCKET, {
      prefix: context.query.prefix ?? '',
      startAfter: context.query['continuation-token'] ?? '',
      maxKeys: PAGE,
    });
    answer(
      context,
      'ListBucketResult',
      objects.map(
        ({ key, lastModifiedDate }) =>
          `<Contents><Key>${key}</Key><LastModified>${lastModifiedDate.toISOString()}</LastModified></Contents>`,
      ),
      isTruncated,
      `<NextContinuationToken>${objects.at(-1)?.key}</NextContinuationToken>`,
    );
  }

  s3.middleware.unshift(async (context, next) => {
    const { method, query } = context;
    const ofBucket = context.path.replace(/\/$/, '') === `/${BUCKET}`;
    if (method === refused) {
      context.type = 'application/xml';
      context.body = '<Error><Code>AccessDenied</Code></Error>';
      context.status = 403;
    } else if (method === 'DELETE' && query.uploadId) {
      await rm(join(uploads, query.uploadId), { recursive: true });
      context.status = 204;
    } else if (method === 'GET' && ofBucket && query.uploads !== undefined) await listUploads(context);
    else if (method === 'GET' && ofBucket && query['list-type'] === '2') await listObjects(context);
    else await next();
  });

  const { port } = await s3.run();
  return {
    /** The store's URL; s3rver knows one key, named as itself. */
    url: `s3://S3RVER:S3RVER@${BUCKET}/carepost/files?endpoint=http://127.0.0.1:${port}&pathStyle=true`,
    pendingUploads,
    uploads,
    /** Answers 403 to every request of a method, until another or none is named. */
    refuse(method: string) {
      refused = method;
    },
    stop: () => s3.close(),
  };
}

function answer(context: Context, root: string, items: string[], isTruncated: boolean, next: string): void {
  context.type = 'application/xml';
  const more = isTruncated ? next : '';
  context.body = `<${root}><IsTruncated>${isTruncated}</IsTruncated>${more}${items.join('')}</${root}>`;
}
