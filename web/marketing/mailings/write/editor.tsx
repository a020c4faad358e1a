import { Redo2, Save, Send, Undo2 } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { call } from '../../../api/client.ts';
import { type Stored, useSaving } from '../../../api/saving.ts';
import { useKeeping, useKeptDraft } from '../../../session/kept-drafts.ts';
import { Button } from '../../../ui/button.tsx';
import { OvertakenNotice } from '../../../ui/overtaken-notice.tsx';
import { Card } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { tell } from '../../../ui/toast.tsx';
import { useLeaveQuestion } from '../../../ui/use-leave-question.ts';
import { words as blockWords } from '../../../words/blocks.ts';
import { words } from '../../../words/mailings.ts';
import { BlockCanvas } from '../blocks/canvas.tsx';
import { MailingFrame } from '../mailing-frame.tsx';
import type { ChosenPerson } from '../person-picker.tsx';
import { Details } from './details.tsx';
import { type Draft, draftOf, type Mailing, mailingOf } from './draft.ts';
import { useHistory } from './history.ts';
import type { MergeField } from './merge-fields.ts';
import { PreviewPane } from './preview-pane.tsx';
import { Problems } from './problems.tsx';
import { SourceField } from './source-field.tsx';
import { TestSend } from './test-send.tsx';
import { usePreview } from './use-preview.ts';

interface EditorProps {
  mailing: Mailing;
  fields: readonly MergeField[];
}

/** A mailing while it is written: its parts on one side, what becomes of them on the other. */
export function Editor({ mailing, fields }: EditorProps) {
  const place = `mailing ${mailing.id}`;
  const params = { id: mailing.id };
  // With what it was written over, so that what others saved meanwhile is told when it is saved.
  const kept = useKeptDraft(place) as { begun: Stored<Draft>; draft: Draft } | undefined;
  const [begun] = useState(() => kept?.begun ?? storedOf(mailing));
  const { value: draft, change, undo, redo, canUndo, canRedo } = useHistory(kept?.draft ?? begun.draft);
  const [person, setPerson] = useState<ChosenPerson | null>(null);
  const [testing, setTesting] = useState(false);
  const preview = usePreview(draft, person?.id ?? null);
  const saving = useSaving('updateCampaignMailing', {
    begun,
    read: async () => storedOf((await call('readCampaignMailing', { params })).data),
    input: (wanted, { updatedAt: if_updated_at }) => ({
      params,
      body: { campaign_mailing: mailingOf(wanted), if_updated_at },
    }),
    stored: ({ data }, saved) => ({ draft: saved, updatedAt: data.updated_at as string }),
    exchange(next) {
      change(() => next);
      return draft;
    },
    isSame: isSameMailing,
    stale: ['readCampaignMailing', 'listCampaignMailings'],
    onSaved: () => tell(words.saved),
  });
  const { problem, overtaken } = saving;
  const save = () => saving.save(draft);
  const isDirty = !isSameMailing(draft, saving.base.draft);
  useKeeping(place, isDirty ? { begun: saving.base, draft } : null);
  useLeaveQuestion(isDirty);
  const onKey = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    if (key === 's') save();
    else if (key === 'z' && !event.shiftKey) undo();
    else if (key === 'y' || (key === 'z' && event.shiftKey)) redo();
    else return;
    event.preventDefault();
  };
  const found = preview.data?.data.problems ?? [];
  const problemOf = (...names: string[]) =>
    names.flatMap((name) => problem?.fields[name] ?? [])[0] ??
    found.find(({ field, severity }) => severity === 'error' && names.includes(field))?.message;
  return (
    <MailingFrame
      wide
      mailing={{ id: mailing.id, name: draft.name }}
      actions={
        <>
          <span role="status" className="text-sm text-soft">
            {isDirty ? words.notSaved : words.allSaved}
          </span>
          <Button icon={Undo2} aria-label={words.undo} disabled={!canUndo} onClick={undo} />
          <Button icon={Redo2} aria-label={words.redo} disabled={!canRedo} onClick={redo} />
          <Button icon={Send} disabled={isDirty} onClick={() => setTesting(true)}>
            {words.test}
          </Button>
          <Button icon={Save} look="primary" busy={saving.isSaving} disabled={!isDirty} onClick={save}>
            {words.save}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-5 xl:grid-cols-[minmax(0,1fr)_minmax(0,34rem)]" onKeyDownCapture={onKey}>
        <div className="flex flex-col gap-5">
          <OvertakenNotice overtaken={overtaken} onSave={save} />
          {problem !== null && isDirty && <Problem error={problem} />}
          <Details
            draft={draft}
            fields={fields}
            problemOf={problemOf}
            onChange={(name, value) => change((before) => ({ ...before, [name]: value }), name)}
          />
          {draft.language === 'blocks' ? (
            <Card title={blockWords.title} lead={blockWords.lead}>
              <BlockCanvas
                items={draft.items}
                fields={fields}
                problems={found}
                onChange={(step, topic) => change((before) => ({ ...before, items: step(before.items) }), topic)}
              />
            </Card>
          ) : (
            <SourceField
              language={draft.language}
              source={draft.source}
              fields={fields}
              onChange={(source) => change((before) => ({ ...before, source }), 'source')}
            />
          )}
        </div>
        <div className="flex flex-col gap-5">
          <Problems problems={found} />
          <PreviewPane read={preview} person={person} onPerson={setPerson} />
        </div>
      </div>
      {testing && <TestSend mailingId={mailing.id} onClose={() => setTesting(false)} />}
    </MailingFrame>
  );
}

function storedOf(mailing: Mailing): Stored<Draft> {
  return { draft: draftOf(mailing), updatedAt: mailing.attributes.updated_at };
}

function isSameMailing(one: Draft, other: Draft): boolean {
  return JSON.stringify(mailingOf(one)) === JSON.stringify(mailingOf(other));
}
