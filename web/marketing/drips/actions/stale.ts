import type { Operation } from '../../../api/client.ts';

/** What is out of date once the state of a campaign has changed. */
export const STALE: Operation[] = [
  'readDripCampaign',
  'listDripCampaigns',
  'readDripStatistics',
  'listDripEnrollments',
  'listDripCampaignVersions',
];
