import { gunzip } from 'node:zlib';
import { AppError, invalidField } from '../../../platform/errors.ts';

/** In octets, packed as well as unpacked: a real report takes a few thousand, and reading one holds up everybody. */
export const LARGEST_REPORT = 2 ** 20;

/** Whether a content type is that of a TLS report (RFC 8460 6.4, 6.5), and if so how it is packed. */
export function packingOf(contentType: string): 'gzip' | 'none' | null {
  const [type = ''] = contentType.toLowerCase().split(';', 1);
  if (type.trim() === 'application/tlsrpt+gzip') return 'gzip';
  return type.trim() === 'application/tlsrpt+json' ? 'none' : null;
}

/** The text of a TLS report; throws where it unfolds to more than 1 MB, or cannot be unpacked. */
export async function unpack(packing: 'gzip' | 'none', bytes: Buffer): Promise<string> {
  if (bytes.length > LARGEST_REPORT) throw tooLarge();
  if (packing === 'none') return bytes.toString();
  return new Promise((resolve, reject) => {
    gunzip(bytes, { maxOutputLength: LARGEST_REPORT }, (error, text) => {
      if (error === null) resolve(text.toString());
      else if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') reject(tooLarge());
      else reject(invalidField('report', 'is not valid gzip'));
    });
  });
}

function tooLarge(): AppError {
  return new AppError('payload_too_large', 'A report takes at most 1 MB, packed and unpacked');
}
