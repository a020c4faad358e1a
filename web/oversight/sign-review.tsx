import { useState } from 'react';
import { useWrite } from '../api/query.ts';
import { Button } from '../ui/button.tsx';
import { Field, Textarea } from '../ui/field.tsx';
import { Card } from '../ui/page.tsx';
import { Problem } from '../ui/problem.tsx';
import { tell } from '../ui/toast.tsx';
import { words as all } from '../words/oversight.ts';

const words = all.reviews;

/** The sign-off of a review, with what the reviewer has to say. */
export function SignReview({ id, isInstallation }: { id: string; isInstallation: boolean }) {
  const [notes, setNotes] = useState('');
  const sign = useWrite(isInstallation ? 'signInstallationReview' : 'signReview', {
    stale: isInstallation
      ? ['readInstallationReview', 'listInstallationReviews']
      : ['readReview', 'listReviews', 'readHome'],
    onDone: () => tell(words.signed),
  });
  return (
    <Card title={words.signTitle} lead={words.signLead}>
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
