import { useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { call, type Operation } from '../../api/client.ts';
import { forget, useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { tell, tellProblem } from '../../ui/toast.tsx';
import { words } from '../../words/forms/submissions.ts';
import { words as shared } from '../../words/shared.ts';
import { STATES } from './search.ts';
import type { Member } from './team.ts';

/** How a submission stood before it was changed. */
export interface Before {
  state: (typeof STATES)[number];
  assignee: string | null;
}

type Change = { work_state?: Before['state']; assignee_id?: string | null };

const MOST = 1_000;
const STALE: Operation[] = ['listSubmissions', 'readFormActivity', 'readOpenWork', 'readSubmission'];

interface BulkProps {
  formId: string;
  chosen: ReadonlyMap<string, Before>;
  people: readonly Member[];
  /** Chooses none any more: what was changed may be out of sight by then. */
  onNone(): void;
}

/** What can be done to all submissions that are selected, and taken back. */
export function Bulk({ formId, chosen, people, onNone }: BulkProps) {
  const queries = useQueryClient();
  const write = useWrite('changeManyWorks', { stale: STALE });
  const ids = [...chosen.keys()];
  const undo = async () => {
    const groups = Map.groupBy(chosen.entries(), ([, { state, assignee }]) => `${state} ${assignee ?? ''}`);
    for (const group of groups.values()) {
      const [, before] = group[0] as [string, Before];
      const body = { ids: group.map(([id]) => id), work_state: before.state, assignee_id: before.assignee };
      await call('changeManyWorks', { params: { id: formId }, body });
    }
    await forget(queries, STALE);
    tell(words.takenBack);
  };
  const change = (wanted: Change) => {
    if (ids.length > MOST) return tellProblem(new Error(words.tooMany));
    write.mutate(
      { params: { id: formId }, body: { ids, ...wanted } },
      {
        onError: tellProblem,
        onSuccess: ({ changed }) => {
          // The bar that has the focus is gone then.
          document.getElementById('content')?.focus({ preventScroll: true });
          onNone();
          tell(words.changed(changed), () => void undo().catch(tellProblem));
        },
      },
    );
  };
  return (
    <section
      aria-label={words.bulk}
      className="flex flex-wrap items-end gap-3 rounded-lg border border-brand bg-brand-soft px-4 py-3"
    >
      <p className="self-center font-medium text-brand">{shared.selected(ids.length)}</p>
      <Field label={words.setState} className="w-40">
        <Select
          value=""
          disabled={write.isPending}
          onChange={({ target }) => {
            const state = STATES.find((each) => each === target.value);
            if (state !== undefined) change({ work_state: state });
          }}
        >
          <option value="">{words.choose}</option>
          {STATES.map((each) => (
            <option key={each} value={each}>
              {words.states[each]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={words.giveTo} className="w-52">
        <Select
          value=""
          disabled={write.isPending}
          onChange={({ target }) =>
            target.value !== '' && change({ assignee_id: target.value === 'none' ? null : target.value })
          }
        >
          <option value="">{words.choose}</option>
          <option value="none">{words.nobody}</option>
          {people.map(({ id, name, email }) => (
            <option key={id} value={id}>
              {name || email}
            </option>
          ))}
        </Select>
      </Field>
      <Button look="quiet" icon={X} onClick={onNone}>
        {words.unselect}
      </Button>
    </section>
  );
}
