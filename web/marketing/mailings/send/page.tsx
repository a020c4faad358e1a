import { useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../../api/query.ts';
import { Loaded } from '../../../ui/problem.tsx';
import { MailingFrame } from '../mailing-frame.tsx';
import { ChooseSend } from './choose.tsx';
import { ReviewSend } from './review.tsx';
import { readAudienceSearch } from './search.ts';
import { FIRST_WISH, type Wish } from './wish.ts';

/** Where a mailing is sent: first who and when, then everything at a glance. */
export function SendPage() {
  const { mailingId } = useParams({ strict: false }) as { mailingId: string };
  const read = useRead('readCampaignMailing', { params: { id: mailingId } });
  const { segment } = readAudienceSearch(useSearch({ strict: false }));
  const [wish, setWish] = useState<Wish>(() =>
    segment === undefined ? FIRST_WISH : { ...FIRST_WISH, audience: 'segment', segmentId: segment },
  );
  const [reviewing, setReviewing] = useState(false);
  return (
    <Loaded read={read}>
      {({ data }) => (
        <MailingFrame mailing={{ id: data.id, name: data.attributes.subject }}>
          {reviewing ? (
            <ReviewSend mailing={data} wish={wish} onBack={() => setReviewing(false)} />
          ) : (
            <ChooseSend
              wish={wish}
              onChange={(change) => setWish((before) => ({ ...before, ...change }))}
              onDone={() => setReviewing(true)}
            />
          )}
        </MailingFrame>
      )}
    </Loaded>
  );
}
