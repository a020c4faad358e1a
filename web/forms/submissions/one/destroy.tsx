import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '../../../api/query.ts';
import { useMay } from '../../../session/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { tell } from '../../../ui/toast.tsx';
import { words } from '../../../words/forms/submission.ts';
import { words as shared } from '../../../words/shared.ts';
import type { Submission } from './page.tsx';

/** Destroys a submission for good, after saying what is lost. */
export function Destroy({ submission }: { submission: Submission }) {
  const navigate = useNavigate();
  const may = useMay('admin');
  const [isAsking, setIsAsking] = useState(false);
  const { form_id: id, id: sid } = submission;
  const destroy = useWrite('deleteSubmission', {
    onDone: () => {
      tell(words.destroyed);
      void navigate({ to: '/forms/$id/submissions', params: { id } });
    },
    stale: ['listSubmissions', 'readFormActivity', 'listFormExports', 'listDestructions'],
  });
  if (!may) return null;
  return (
    <div>
      <Button look="danger" icon={Trash2} onClick={() => setIsAsking(true)}>
        {words.destroy}
      </Button>
      <Dialog open={isAsking} onClose={() => setIsAsking(false)} title={words.destroyTitle}>
        <p>{words.destroyText}</p>
        {destroy.error !== null && <Problem error={destroy.error} />}
        <Actions>
          <Button onClick={() => setIsAsking(false)}>{shared.cancel}</Button>
          <Button look="danger" busy={destroy.isPending} onClick={() => destroy.mutate({ params: { id, sid } })}>
            {words.destroy}
          </Button>
        </Actions>
      </Dialog>
    </div>
  );
}
