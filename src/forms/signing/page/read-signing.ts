import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import { toBodyStream } from '../../../platform/http/body/body-stream.ts';
import { readMultipart } from '../../../platform/http/body/streamed/scan-multipart.ts';
import { pictureUrl } from '../../history/past-page.ts';
import { one, readFormSignature } from '../../page/read-posted.ts';
import { controlsIn } from '../../page/taken-page.ts';
import type { ShownSignature } from '../../page/view.ts';

const LARGEST = 32 * 1024 * 1024;
/** Of a larger picture only so much is kept as shows that it is too large. */
const LARGEST_PICTURE = 1024 * 1024;

/** What the page to sign on was posted with. */
export interface PostedSigning {
  given: ShownSignature | null;
  pass: string;
  language: string;
  declines: boolean;
}

/** Reads a page that was signed on. */
export async function readSigning({ raw, headers }: FastifyRequest): Promise<PostedSigning> {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type)) throw new AppError('unsupported_media_type');
  let picture: Buffer | null = null;
  const body = await readMultipart(bounded(toBodyStream(raw).pieces), type, async ({ field }, stream) => {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of stream) {
      if (length <= LARGEST_PICTURE) pieces.push(piece);
      length += piece.length;
    }
    if (field === '_signature.file' && pieces.length > 0) picture = Buffer.concat(pieces);
  });
  const controls = controlsIn(body.form_data);
  return {
    given: withPicture(readFormSignature(controls), picture),
    pass: one(controls, '_pass'),
    language: one(controls, '_language'),
    declines: one(controls, '_go') === 'decline',
  };
}

/** A picture that was chosen is the signature, whatever was given before. */
function withPicture(given: ShownSignature | null, picture: Buffer | null): ShownSignature | null {
  if (picture === null || picture.length === 0) return given;
  const signed = given ?? { name: '', confirmed: false };
  return { ...signed, method: 'uploaded', image: pictureUrl(picture.toString('base64')) };
}

async function* bounded(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > LARGEST) throw new AppError('payload_too_large');
    yield piece;
  }
}
