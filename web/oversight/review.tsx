import { Link, useParams } from '@tanstack/react-router';
import type { Reply } from '../api/client.ts';
import { useRead } from '../api/query.ts';
import { Badge } from '../ui/badge.tsx';
import { LoadedPage } from '../ui/loaded-page.tsx';
import { Card, Facts, Page } from '../ui/page.tsx';
import { When } from '../ui/when.tsx';
import { words as all } from '../words/oversight.ts';
import { usePlace } from './place.ts';
import { periodOf, TONES } from './reviews.tsx';
import { SignReview } from './sign-review.tsx';

type Review = Reply<'readReview'>;
type Finding = Review['findings'][number];

const words = all.reviews;

/** One review: what to look at, and the sign-off. */
export function ReviewPage() {
  const { reviewId = '' } = useParams({ strict: false });
  const { reviews, isInstallation } = usePlace();
  const read = useRead(reviews.read, { params: { id: reviewId } });
  const back = { label: words.back, to: reviews.at };
  return (
    <LoadedPage title={words.one} back={back} read={read}>
      {(review) => (
        <Page
          title={periodOf(review)}
          back={back}
          actions={<Badge tone={TONES[review.state]}>{words.states[review.state]}</Badge>}
        >
          <Card title={words.findings}>
            {review.findings.length === 0 ? (
              <p>{words.nothing}</p>
            ) : (
              <ul className="divide-y">
                {review.findings.map((finding) => (
                  <FindingItem
                    key={`${finding.kind} ${finding.actor.kind} ${finding.actor.id}`}
                    finding={finding}
                    hasRows={!isInstallation}
                  />
                ))}
              </ul>
            )}
          </Card>
          {review.signed_at === null ? (
            <SignReview review={review} />
          ) : (
            <Card title={words.signTitle}>
              <Facts
                facts={[
                  [words.signedBy, review.own ? words.signedOwn(review.signed_by ?? '') : review.signed_by],
                  [words.signedAt, <When key="at" at={review.signed_at} exact />],
                  [
                    words.notes,
                    <span key="notes" className="whitespace-pre-wrap">
                      {review.notes}
                    </span>,
                  ],
                ]}
              />
            </Card>
          )}
        </Page>
      )}
    </LoadedPage>
  );
}

function FindingItem({ finding, hasRows }: { finding: Finding; hasRows: boolean }) {
  const { kind, actor, count, past, where } = finding;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <div className="min-w-0">
        <p className="font-medium">{words.kinds[kind]}</p>
        <p className="text-sm break-words text-soft">
          {words.actors[actor.kind] ?? actor.kind} <code className="font-mono text-xs">{actor.id}</code>
        </p>
      </div>
      <p className="text-sm">{words.counted(count, past)}</p>
      {hasRows && (
        <Link
          to="/settings/audit"
          search={Object.fromEntries(new URLSearchParams(where.split('?')[1]))}
          className="text-sm text-brand underline-offset-2 hover:underline"
        >
          {words.rows}
        </Link>
      )}
    </li>
  );
}
