import type { BodyLimits } from '../../platform/http/body/streamed/limits.ts';
import { BODY_LIMITS } from '../../platform/http/body/streamed/limits.ts';
import { isSealedForm, limitsOf } from '../end-to-end/check-sent.ts';

/** How much text all pictures of signatures may make together; they travel with the answers from step to step. */
export const MOST_PICTURES = 4 * 2 ** 20;

/** The names of controls are percent-encoded, up to three of them in a path: nine bytes for a letter of Chinese. */
const PAGE_LIMITS: BodyLimits = {
  ...BODY_LIMITS,
  keyBytes: 12 * 2 ** 10,
  stringBytes: BODY_LIMITS.stringBytes + MOST_PICTURES,
  skeletonBytes: BODY_LIMITS.skeletonBytes + MOST_PICTURES,
};

/** How much a page may be posted with beside its files. */
export function pageLimitsOf(form: Parameters<typeof isSealedForm>[0]): BodyLimits {
  return isSealedForm(form) ? { ...limitsOf(form), keyBytes: PAGE_LIMITS.keyBytes } : PAGE_LIMITS;
}
