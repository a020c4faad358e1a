import type { Area } from '../platform/http/area.ts';
import type { SealedColumn } from '../platform/vault/reseal.ts';
import { allListsEndpoint } from './api/all-lists.ts';
import { analyticsEndpoints } from './api/analytics.ts';
import { bulkJobEndpoints } from './api/bulk-jobs.ts';
import { bulkSubscriberEndpoints } from './api/bulk-subscribers.ts';
import { bulkSubscriptionEndpoints } from './api/bulk-subscriptions.ts';
import { campaignMailingDeliveryEndpoints } from './api/campaign-mailing-deliveries.ts';
import { campaignMailingSendEndpoints } from './api/campaign-mailing-sends.ts';
import { campaignMailingTrialEndpoints } from './api/campaign-mailing-trials.ts';
import { campaignMailingEndpoints } from './api/campaign-mailings.ts';
import { currentCustomerEndpoint } from './api/current-customer.ts';
import { customFieldTypeEndpoints } from './api/custom-field-types.ts';
import type { MarketingDeps } from './api/deps.ts';
import { dripCampaignStateEndpoints } from './api/drip-campaign-states.ts';
import { dripCampaignVersionEndpoints } from './api/drip-campaign-versions.ts';
import { dripCampaignEndpoints } from './api/drip-campaigns.ts';
import { dripEnrollmentEndpoints } from './api/drip-enrollments.ts';
import { dripEventEndpoint } from './api/drip-events.ts';
import { dripExplanationEndpoint } from './api/drip-explanation.ts';
import { dripSimulationEndpoint } from './api/drip-simulation.ts';
import { dripStatisticsEndpoint } from './api/drip-statistics.ts';
import { dripWebhookSecretEndpoint } from './api/drip-webhook-secret.ts';
import { dynamicListCountEndpoint } from './api/dynamic-list-count.ts';
import { dynamicListEndpoints } from './api/dynamic-lists.ts';
import { MarketingError, marketingErrorBody } from './api/errors.ts';
import { exportEndpoints } from './api/exports.ts';
import { importEndpoints } from './api/imports.ts';
import { listGrowthEndpoint } from './api/list-growth.ts';
import { receiveFormEndpoint } from './api/receive-form.ts';
import { storyEndpoint } from './api/story.ts';
import { subscriberPageEndpoints } from './api/subscriber-pages.ts';
import { subscriberEndpoints } from './api/subscribers.ts';
import { subscriptionListEndpoints } from './api/subscription-lists.ts';
import { subscriptionEndpoints } from './api/subscriptions.ts';
import { trackingLinkEndpoints } from './api/tracking-links.ts';

export { resumeBulkJobs } from './bulk/resume.ts';
export { consentLinks } from './consent/consent-links.ts';
export { findDrip } from './drip/campaigns/drip.ts';
export { listDrips } from './drip/campaigns/list.ts';
export { type Drips, startDrips } from './drip/engine/lane.ts';
export { type Journey, knownIn } from './drip/simulation/journeys.ts';
export { readSimulation, SimulationBody } from './drip/simulation/read-simulation.ts';
export { simulate } from './drip/simulation/simulate.ts';
export { EXPORT_DAYS } from './exports/kept-days.ts';
export { sweepExports } from './exports/sweep.ts';
export { createImportsApart } from './imports/apart/imports-apart.ts';
export { describeImport } from './imports/describe.ts';
export type { Import } from './imports/import.ts';
export { beginUndo, createImport, readImport } from './imports/imports.ts';
export { readWanted } from './imports/settings.ts';
export { sweepImportFiles } from './imports/sweep-files.ts';
export { resumeImports } from './imports/tasks.ts';
export type { Which as WhichImport } from './imports/which.ts';
export { workOnImport } from './imports/work-on.ts';
export { DEFAULT_LIST_NAME } from './lists/default-list.ts';
export { sweepGoneLists } from './lists/sweep-gone.ts';
export { findMail } from './mailings/find-mail.ts';
export { mailingBounces } from './mailings/returned.ts';
export { hasOpenSends } from './mailings/sending/has-open-sends.ts';
export { type Mailings, startMailings } from './mailings/sending/lane.ts';
export { restAll } from './rest-all.ts';
export type { SubmissionReference, SubmissionsOf } from './story/submissions-of.ts';
export { type Joining, peopleRows } from './subscribers/joining.ts';
export { peopleBefore, peopleById } from './subscribers/people-by-id.ts';
export type { NewSubscriber } from './subscribers/read-subscriber.ts';
export { createMarketingTasks } from './tasks.ts';
export { mailingLinks } from './tracking/mailing-links.ts';

/** The columns of this area that hold sealed values. */
export const MARKETING_SEALED_COLUMNS: SealedColumn[] = [
  { table: 'subscribers', row: 'id', column: 'sealed_fields' },
  { table: 'bulk_jobs', row: 'id', column: 'sealed' },
  { table: 'mailing_recipients', row: 'id', column: 'reply' },
  { table: 'tracking_links', row: `send_id || '/' || number`, column: 'sealed' },
];

/** The Marketing area as the server mounts it. */
export function createMarketingArea(deps: MarketingDeps): Area {
  return {
    name: 'marketing',
    bases: ['/v1/marketing', '/marketing', '/v1/orca/:username'],
    headerForms: ['token', 'bearer'],
    errorSchema: MarketingError,
    errorBody: marketingErrorBody,
    endpoints: [
      ...subscriptionListEndpoints(deps),
      listGrowthEndpoint(deps),
      ...customFieldTypeEndpoints(deps),
      currentCustomerEndpoint(deps),
      ...campaignMailingEndpoints(deps),
      ...campaignMailingTrialEndpoints(deps),
      ...campaignMailingSendEndpoints(deps),
      ...campaignMailingDeliveryEndpoints(deps),
      ...trackingLinkEndpoints(deps),
      ...analyticsEndpoints(deps),
      ...subscriberPageEndpoints(deps),
      ...subscriberEndpoints(deps),
      ...bulkSubscriberEndpoints(deps),
      storyEndpoint(deps),
      ...subscriptionEndpoints(deps),
      ...bulkSubscriptionEndpoints(deps),
      ...bulkJobEndpoints(deps),
      ...exportEndpoints(deps),
      receiveFormEndpoint(deps),
      ...dripEnrollmentEndpoints(deps),
      dripStatisticsEndpoint(deps),
      dripExplanationEndpoint(deps),
      dripEventEndpoint(deps),
      dripSimulationEndpoint(deps),
      dripWebhookSecretEndpoint(deps),
      ...importEndpoints(deps),
      allListsEndpoint(deps),
      ...dynamicListEndpoints(deps),
      dynamicListCountEndpoint(deps),
      ...dripCampaignEndpoints(deps),
      ...dripCampaignStateEndpoints(deps),
      ...dripCampaignVersionEndpoints(deps),
    ],
  };
}
