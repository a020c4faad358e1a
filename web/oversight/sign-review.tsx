import { useState } from 'react';
import type { Reply } from '../api/client.ts';
import { useWrite } from '../api/query.ts';
import { useKeeping, useKeptDraft } from '../session/kept-drafts.ts';
import { useUser } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Field, Textarea } from '../ui/field.tsx';
import { Card } from '../ui/page.tsx';
import { Problem } from '../ui/problem.tsx';
import { tell } from '../ui/toast.tsx';
import { useLeaveQuestion } from '../ui/use-leave-question.ts';
import { words as all } from '../words/oversight.ts';
import { usePlace } from './place.ts';

const words = all.reviews;

/** The sign-off of a review, with what the reviewer has to say. */
export function SignReview({ review: { id, findings } }: { review: Reply<'readReview'> }) {
  const { reviews } = usePlace();
  const user = useUser();
  const isOwn = findings.some(
    ({ kind, actor }) => kind !== 'sign_in_failures' && actor.kind === 'user' && actor.id === user.id,
  );
  const desk = `review ${id}`;
  const kept = useKeptDraft(desk) as string | undefined;
  const [notes, setNotes] = useState(kept ?? '');
  useKeeping(desk, notes === '' ? null : notes);
  useLeaveQuestion(notes !== '');
  const sign = useWrite(reviews.sign, {
    stale: [reviews.read, reviews.list, 'readHome'],
    onDone: () => tell(words.signed),
  });
  return (
    <Card title={words.signTitle} lead={isOwn ? words.signOwnLead : words.signLead}>
      <form
        className="flex max-w-xl flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          sign.mutate({ params: { id }, body: { notes } });
        }}
      >
        <Field label={words.notes} hint={words.notesHint}>
          <Textarea
            required
            maxLength={10_000}
            value={notes}
            onChange={(event) => setNotes(event.currentTarget.value)}
          />
        </Field>
        {sign.error !== null && <Problem error={sign.error} />}
        <div>
          <Button type="submit" look="primary" busy={sign.isPending}>
            {words.sign}
          </Button>
        </div>
      </form>
    </Card>
  );
}
