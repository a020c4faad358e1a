import { useState } from 'react';
import type { Operation } from '../../../api/client.ts';
import { useRead, useWrite } from '../../../api/query.ts';
import { useKeeping, useKeptDraft } from '../../../session/kept-drafts.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Textarea } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/problem.tsx';
import { tell } from '../../../ui/toast.tsx';
import { undoBy } from '../../../ui/undo.ts';
import { useLeaveQuestion } from '../../../ui/use-leave-question.ts';
import { When } from '../../../ui/when.tsx';
import { words } from '../../../words/forms/submission.ts';
import type { Submission } from './page.tsx';
import { useWho } from './who.ts';

const STALE: Operation[] = ['listNotes', 'listSubmissions'];
const LONGEST = 10_000;

/** What colleagues wrote to each other about a submission. One's own can be taken back for ten minutes. */
export function Notes({ submission }: { submission: Submission }) {
  const params = { id: submission.form_id, sid: submission.id };
  const who = useWho();
  const desk = `note ${submission.id}`;
  const kept = useKeptDraft(desk) as string | undefined;
  const [text, setText] = useState(kept ?? '');
  useKeeping(desk, text === '' ? null : text);
  useLeaveQuestion(text !== '');
  const read = useRead('listNotes', { params });
  const add = useWrite('createNote', {
    stale: STALE,
    onDone: ({ data: { id } }) => {
      setText('');
      tell(words.noteTaken, undoBy('takeBackNote', { params: { ...params, nid: id } }, STALE));
    },
  });
  const problem = add.error === null ? undefined : (add.error.fields['text']?.[0] ?? add.error.message);
  return (
    <Card title={words.notes} lead={words.notesLead}>
      <Loaded read={read}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-sm text-soft">{words.noNotes}</p>
          ) : (
            <ol className="flex flex-col gap-3">
              {data.map((note) => (
                <li key={note.id} className="rounded-md bg-sunken px-3 py-2">
                  <p className="text-xs text-soft">
                    {who(note.by.kind, note.by.id)} · <When at={note.at} />
                  </p>
                  {note.text === null ? (
                    <p className="text-sm text-soft italic">{words.takenBack}</p>
                  ) : (
                    <p className="text-sm break-words whitespace-pre-wrap">{note.text}</p>
                  )}
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
      <form
        className="mt-4 flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate({ params, body: { text } });
        }}
      >
        <Field label={words.note} problem={problem}>
          <Textarea rows={3} maxLength={LONGEST} value={text} onChange={({ target }) => setText(target.value)} />
        </Field>
        <div>
          <Button type="submit" busy={add.isPending} disabled={text.trim() === ''}>
            {words.addNote}
          </Button>
        </div>
      </form>
    </Card>
  );
}
