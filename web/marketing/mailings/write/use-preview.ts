import type { Reply } from '../../../api/client.ts';
import { useRead } from '../../../api/query.ts';
import { useSettled } from '../../../ui/use-settled.ts';
import { type Draft, mailingOf } from './draft.ts';

export type Preview = Reply<'previewCampaignMailing'>['data'];
export type PreviewProblem = Preview['problems'][number];

/** What the product makes of a draft, asked for whenever somebody pauses while writing. */
export function usePreview(draft: Draft, subscriberId: string | null) {
  // The name is for the team; a draft without one can be looked at all the same.
  const { subject: _name, ...mailing } = useSettled(mailingOf(draft));
  return useRead(
    'previewCampaignMailing',
    { body: { campaign_mailing: mailing, subscriber_id: subscriberId } },
    { keep: true },
  );
}
