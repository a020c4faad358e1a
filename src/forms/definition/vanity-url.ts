import { violatedConstraint } from '../../platform/db/failure.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { isUuid } from '../../platform/ids.ts';

const SHAPE = /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/;

/** What stands for the product itself in an address, now or later. */
const RESERVED = new Set(
  `about account admin administrator api app assets auth billing carepost dashboard docs embed email errors f favicon
   files form forms health healthz help home login logout mail marketing messages metrics new null openapi password
   pickup privacy public readyz receipts reset robots root security settings setup sign-in sign-up signup sitemap static
   status submissions support system terms undefined unsubscribe upload uploads user users v1 webhooks well-known
   www`.split(/\s+/),
);

/** The address that a form may have beside its id: readable, and nobody else's. */
export function readVanityUrl(text: string): string {
  const wanted = text.trim().toLowerCase();
  if (!SHAPE.test(wanted)) {
    throw invalidField('vanity_url', 'takes 3 to 63 letters, digits and dashes, with no dash at either end');
  }
  // An address that looked like an id could be taken for another form's.
  if (RESERVED.has(wanted) || isUuid(wanted)) throw invalidField('vanity_url', 'is reserved');
  return wanted;
}

/** Carries out a change and says so where another form has the address already. */
export async function naming<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== 'forms_vanity_url') throw error;
    throw new AppError('conflict', 'vanity_url: is taken', { fields: { vanity_url: ['is taken'] } });
  }
}
