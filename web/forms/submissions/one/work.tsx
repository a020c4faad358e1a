import type { Body, Operation } from '../../../api/client.ts';
import { useWrite } from '../../../api/query.ts';
import { useUser } from '../../../session/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { tell, tellProblem } from '../../../ui/toast.tsx';
import { undoBy } from '../../../ui/undo.ts';
import { words } from '../../../words/forms/submission.ts';
import { words as list } from '../../../words/forms/submissions.ts';
import { STATES } from '../search.ts';
import { useTeam } from '../team.ts';
import type { Submission } from './page.tsx';

type Change = Body<'changeWork'>;

const STALE: Operation[] = ['readSubmission', 'listSubmissions', 'readFormActivity', 'readOpenWork'];

/** How far a submission is and whose it is. Every change can be taken back. */
export function Work({ submission }: { submission: Submission }) {
  const { assignable, nameOf } = useTeam();
  const me = useUser();
  const params = { id: submission.form_id, sid: submission.id };
  const state = STATES.find((each) => each === submission.work_state) ?? 'new';
  const assignee = submission.assignee_id;
  const undo = undoBy('changeWork', { params, body: { work_state: state, assignee_id: assignee } }, STALE);
  const write = useWrite('changeWork', { stale: STALE, onFail: tellProblem });
  const change = (body: Change) => write.mutate({ params, body }, { onSuccess: () => tell(words.saved, undo) });
  const isStranger = assignee !== null && !assignable.some(({ id }) => id === assignee);
  return (
    <Card title={words.work}>
      <div className="flex flex-col gap-3">
        <Field label={words.state}>
          <Select
            value={state}
            disabled={write.isPending}
            onChange={({ target }) => change({ work_state: STATES.find((each) => each === target.value) ?? 'new' })}
          >
            {STATES.map((each) => (
              <option key={each} value={each}>
                {list.states[each]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={words.assignee}>
          <Select
            value={assignee ?? ''}
            disabled={write.isPending}
            onChange={({ target }) => change({ assignee_id: target.value === '' ? null : target.value })}
          >
            <option value="">{words.nobody}</option>
            {isStranger && <option value={assignee}>{nameOf(assignee) ?? words.removedPerson}</option>}
            {assignable.map(({ id, name, email }) => (
              <option key={id} value={id}>
                {name || email}
              </option>
            ))}
          </Select>
        </Field>
        {assignee !== me.id && (
          <Button busy={write.isPending} onClick={() => change({ assignee_id: me.id, work_state: 'in_work' })}>
            {words.takeIt}
          </Button>
        )}
      </div>
    </Card>
  );
}
