import { useState } from 'react';
import { useWrite } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Choice } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { tell } from '../../../ui/toast.tsx';
import { words } from '../../../words/drips.ts';
import { words as shared } from '../../../words/shared.ts';
import { useEditing } from '../editing.ts';
import { STALE } from './stale.ts';

const POLICIES = ['catch_up', 'shift', 'skip_overdue'] as const;

/** Lets everybody go on, by what is to become of those who were due meanwhile. */
export function ResumeDialog({ onClose }: { onClose(): void }) {
  const { drip } = useEditing();
  const [policy, setPolicy] = useState<(typeof POLICIES)[number]>('catch_up');
  const resume = useWrite('resumeDripCampaign', {
    stale: STALE,
    onDone: () => {
      tell(words.resumed);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.resumeTitle}>
      <Choice
        legend={words.resumeLead}
        value={policy}
        onChange={setPolicy}
        options={POLICIES.map((each) => ({
          value: each,
          label: words.policies[each],
          hint: words.policies[`${each}Hint`],
        }))}
      />
      {resume.error !== null && <Problem error={resume.error} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button
          look="primary"
          busy={resume.isPending}
          onClick={() => resume.mutate({ params: { id: drip.id }, body: { policy } })}
        >
          {words.resume}
        </Button>
      </Actions>
    </Dialog>
  );
}
