import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import { formOf, readForm } from '../../../platform/http/body/form-body.ts';

const LARGEST = 16 * 1024;

/** Reads the few fields that a small page sends. */
export async function readSmallForm({ raw, headers }: FastifyRequest): Promise<Record<string, unknown>> {
  const type = headers['content-type'];
  const form = formOf(type);
  if (form === null) return {};
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > LARGEST) throw new AppError('payload_too_large');
    pieces.push(piece);
  }
  return readForm(form, Buffer.concat(pieces), type as string);
}
