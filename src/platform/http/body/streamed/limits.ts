import { AppError } from '../../../errors.ts';

/** How much of a streamed body may stand in memory; file contents never do and have no limit here. */
export interface BodyLimits {
  files: number;
  /** Keys and list elements, or the fields of a multipart body. */
  items: number;
  /** One string that is no file, in bytes. */
  stringBytes: number;
  keyBytes: number;
  /** All that is no file, together. */
  skeletonBytes: number;
  /** Objects and lists inside one another. */
  depth: number;
}

/** What a form submission may hold beside its files. */
export const BODY_LIMITS: BodyLimits = {
  files: 1_000,
  items: 20_000,
  stringBytes: 2 * 2 ** 20,
  keyBytes: 2 ** 10,
  skeletonBytes: 4 * 2 ** 20,
  depth: 64,
};

const RULES: Record<keyof BodyLimits, (limit: number) => string> = {
  files: (limit) => `At most ${limit} attachments are taken`,
  items: (limit) => `The body holds more than ${limit} values`,
  stringBytes: (limit) => `A text outside of attachments holds more than ${limit} bytes`,
  keyBytes: (limit) => `A name holds more than ${limit} bytes`,
  skeletonBytes: (limit) => `The body without its attachments holds more than ${limit} bytes`,
  depth: (limit) => `The body is nested more than ${limit} levels deep`,
};

/** The refusal of a body that is over the limit: too large for the sizes, not valid for numbers and depth. */
export function overLimit(limits: BodyLimits, limit: keyof BodyLimits): AppError {
  const code = limit.endsWith('Bytes') ? 'payload_too_large' : 'invalid_request';
  return new AppError(code, RULES[limit](limits[limit]));
}
