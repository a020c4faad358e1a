import { useState } from 'react';
import { type Body } from '../../../api/client.ts';
import { useWrite } from '../../../api/query.ts';
import { Notice } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { words } from '../../../words/builder/start.ts';

/** Makes a form of a FHIR Questionnaire, and tells what could not be carried over. */
export function ImportQuestionnaire({ onMade }: { onMade(id: string): Promise<void> }) {
  const [file, setFile] = useState<File | null>(null);
  const [isBad, setBad] = useState(false);
  const make = useWrite('importQuestionnaire', {
    stale: ['listForms', 'readFormStats'],
    onDone: ({ id, notes }) => (notes.length === 0 ? onMade(id) : undefined),
  });
  const send = async () => {
    const questionnaire = await (file as File)
      .text()
      .then((text) => JSON.parse(text) as Body<'importQuestionnaire'>)
      .catch(() => null);
    setBad(questionnaire === null);
    if (questionnaire !== null) make.mutate({ body: questionnaire });
  };
  const notes = make.data?.notes ?? [];
  if (make.data !== undefined && notes.length > 0) {
    return (
      <div className="flex flex-col gap-3">
        <Notice tone="warn" title={words.fhirNotes}>
          <ul className="mt-1 list-disc pl-5">
            {notes.map(({ path, note }) => (
              <li key={`${path} ${note}`}>
                <span className="font-mono text-xs">{path}</span> {note}
              </li>
            ))}
          </ul>
        </Notice>
        <div>
          <Button look="primary" onClick={() => void onMade(make.data.id)}>
            {words.fhirOpen}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      {make.error !== null && <Problem error={make.error} />}
      <Field label={words.fhirFile} problem={isBad ? words.fhirBad : undefined}>
        <Input
          type="file"
          accept=".json,application/json,application/fhir+json"
          onChange={(event) => {
            setBad(false);
            setFile(event.target.files?.[0] ?? null);
          }}
        />
      </Field>
      <div>
        <Button busy={make.isPending} disabled={file === null} onClick={() => void send()}>
          {words.make}
        </Button>
      </div>
    </div>
  );
}
