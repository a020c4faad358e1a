import type { IncomingHttpHeaders } from 'node:http';
import { AppError, invalidField } from '../../../platform/errors.ts';
import { MOST_BYTES } from '../../submissions/receive.ts';
import type { StoredUpload } from '../upload-row.ts';

const VERSION = '1.0.0';
const BYTES = 'application/offset+octet-stream';
const COUNT = /^\d{1,15}$/;

/** What stands in every answer, whatever becomes of a request. */
export const ALWAYS = { 'tus-resumable': VERSION };

/** What the server knows of the protocol. */
export const ABILITIES = {
  'tus-version': VERSION,
  'tus-extension': 'creation,creation-with-upload,expiration,termination',
  'tus-max-size': String(MOST_BYTES),
};

/** Whether a client speaks the one version of the protocol that there is. */
export function speaksTus(headers: IncomingHttpHeaders): boolean {
  return headers['tus-resumable'] === VERSION;
}

export function readLength(headers: IncomingHttpHeaders): number {
  return readCount('Upload-Length', headers['upload-length']);
}

export function readOffset(headers: IncomingHttpHeaders): number {
  return readCount('Upload-Offset', headers['upload-offset']);
}

function readCount(name: string, sent: string | string[] | undefined): number {
  if (sent === undefined) throw invalidField(name, 'is required');
  if (typeof sent !== 'string' || !COUNT.test(sent)) throw invalidField(name, 'takes a number of bytes');
  return Number(sent);
}

/** Whether a request brings bytes of a file. */
export function bringsBytes(headers: IncomingHttpHeaders): boolean {
  return headers['content-type']?.trim().toLowerCase() === BYTES;
}

export function requireBytes(headers: IncomingHttpHeaders): void {
  if (!bringsBytes(headers)) throw new AppError('unsupported_media_type', `The bytes of a file come as ${BYTES}`);
}

/** Refuses bytes that are more than the file has left, by the length that they announce. */
export function refuseTooMany(headers: IncomingHttpHeaders, { length, received }: StoredUpload): void {
  if (Number(headers['content-length'] ?? 0) > length - received) {
    throw new AppError('payload_too_large', 'More bytes come than were announced');
  }
}

/** How far a file has come, and until when it may. */
export function progressOf({ received, expiresAt }: StoredUpload): Record<string, string> {
  return { 'upload-offset': String(received), 'upload-expires': expiresAt.toUTCString() };
}
