import type { FastifyInstance } from 'fastify';
import type { Areas } from './areas.ts';
import { addDashboardPages } from './dashboard/index.ts';
import { addPickupPages, addTlsReportPage, addTrackingPages, messageLinks } from './email/index.ts';
import { addFormDoors } from './forms/index.ts';
import type { Installation } from './installation.ts';
import { consentLinks, mailingLinks } from './marketing/index.ts';
import type { Parts } from './parts.ts';
import { addSecurityContact } from './platform/http/pages/security-contact.ts';

/** Adds what people open in a browser, beside the areas of the API. */
export function addPages(
  server: FastifyInstance,
  installation: Installation,
  parts: Parts,
  { email, forms }: Areas,
): void {
  const { config, db, vault, blobs, clock, log } = installation;
  const { admission, tokens, ownNames, loadSealKey } = parts;
  const { systemFrom, publicUrl, securityContact } = config;
  addDashboardPages(server);
  addTlsReportPage(server, { ...admission, db, clock, ownNames });
  addTrackingPages(server, {
    ...admission,
    tokens,
    handlers: {
      ...messageLinks({ db, vault, clock }),
      ...mailingLinks({ db, vault, clock }),
      ...consentLinks({ db, vault, clock, tokens }),
    },
  });
  if (securityContact !== null) addSecurityContact(server, { contact: securityContact, publicUrl, clock });
  const { acceptMessages } = email;
  addPickupPages(server, { ...admission, db, vault, blobs, clock, log, acceptMessages, systemFrom, publicUrl });
  addFormDoors(server, { ...admission, ...forms.pages, loadSealKey, log });
}
