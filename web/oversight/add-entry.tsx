import { useState } from 'react';
import type { Reply } from '../api/client.ts';
import { useWrite } from '../api/query.ts';
import { useKeeping, useKeptDraft } from '../session/kept-drafts.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select, Textarea } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { tell } from '../ui/toast.tsx';
import { useLeaveQuestion } from '../ui/use-leave-question.ts';
import { words as all } from '../words/oversight.ts';
import { usePlace } from './place.ts';

type Incident = Reply<'readIncident'>;

const words = all.incidents;
const STATES = ['open', 'contained', 'closed'] as const;

/** Adds to the timeline of an incident, and perhaps takes it a step on. */
export function AddEntry({ incident }: { incident: Incident }) {
  const { incidents } = usePlace();
  const desk = `incident ${incident.id}`;
  const kept = useKeptDraft(desk) as string | undefined;
  const [text, setText] = useState(kept ?? '');
  useKeeping(desk, text === '' ? null : text);
  useLeaveQuestion(text !== '');
  // Only what was chosen here is sent: somebody else may have taken it a step on since this page was read.
  const [state, setState] = useState<Incident['state'] | null>(null);
  const add = useWrite(incidents.note, {
    stale: [incidents.read, incidents.list],
    lasting: true,
    onDone: () => {
      setText('');
      setState(null);
      tell(words.added);
    },
  });
  const choose = (chosen: string) =>
    setState(STATES.find((each) => each === chosen && each !== incident.state) ?? null);
  return (
    <form
      className="flex max-w-xl flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ params: { id: incident.id }, body: { text, ...(state !== null && { state }) } });
      }}
    >
      <Field label={words.entry}>
        <Textarea required maxLength={10_000} value={text} onChange={(event) => setText(event.currentTarget.value)} />
      </Field>
      <Field label={words.state}>
        <Select value={state ?? incident.state} onChange={(event) => choose(event.currentTarget.value)}>
          {STATES.map((each) => (
            <option key={each} value={each}>
              {words.states[each]}
            </option>
          ))}
        </Select>
      </Field>
      {add.error !== null && <Problem error={add.error} />}
      <div>
        <Button type="submit" look="primary" busy={add.isPending}>
          {words.addEntry}
        </Button>
      </div>
    </form>
  );
}
