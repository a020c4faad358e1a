import { useEffect, useState } from 'react';
import { call, type Reply } from '../../api/client.ts';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useRead } from '../../api/query.ts';
import { type Stored, useSaving } from '../../api/saving.ts';
import { useKeeping, useKeptDraft } from '../../session/kept-drafts.ts';
import { Button } from '../../ui/button.tsx';
import { CodeEditor } from '../../ui/code-editor.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { Checkbox, Field, Input } from '../../ui/field.tsx';
import { isEqual } from '../../ui/is-equal.ts';
import { OvertakenNotice } from '../../ui/overtaken-notice.tsx';
import { Card } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { useLeaveQuestion } from '../../ui/use-leave-question.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { words } from '../../words/email/templates.ts';
import { words as shared } from '../../words/shared.ts';
import { PreviewPane } from './preview-pane.tsx';
import { VariableFields } from './variable-fields.tsx';
import { placesOf, valuesOf } from './variable-values.ts';

type Template = Reply<'readTemplate'>;

/** What one version of a template says. */
export interface Text {
  subject: string;
  body: string;
  strict: boolean;
  rawHtml: boolean;
}

interface Draft {
  name: string;
  text: Text;
}

interface EditorProps {
  template: Template;
  /** An earlier text that somebody wants in the editor. */
  takenUp: Text | null;
  mayEdit: boolean;
}

/** The text of a template beside how it looks, rendered anew a moment after every change. */
export function Editor({ template, takenUp, mayEdit }: EditorProps) {
  const place = `template ${template.id}`;
  const params = { id: template.id };
  // With what it was written over, so that what others saved meanwhile is told when it is saved.
  const kept = useKeptDraft(place) as { begun: Stored<Draft>; draft: Draft } | undefined;
  const [begun] = useState(() => kept?.begun ?? storedOf(template));
  const [draft, setDraft] = useState(kept?.draft ?? begun.draft);
  const { name, text } = draft;
  const setText = (next: Text) => setDraft((before) => ({ ...before, text: next }));
  const [texts, setTexts] = useState<Record<string, string>>({});
  useEffect(() => {
    if (takenUp !== null) setText(takenUp);
  }, [takenUp]);
  const change = (part: Partial<Text>) => setDraft((before) => ({ ...before, text: { ...before.text, ...part } }));
  const preview = usePreview(template, text, texts);
  const { base, save, isSaving, problem, overtaken } = useSaving('updateTemplate', {
    begun,
    read: async () => storedOf(await call('readTemplate', { params })),
    input: ({ name: wanted, text: { rawHtml: allow_raw_html, ...rest } }, { updatedAt: if_updated_at }) => ({
      params,
      body: { name: wanted, ...rest, allow_raw_html, if_updated_at },
    }),
    stored: ({ updated_at: updatedAt }, saved) => ({ draft: saved, updatedAt }),
    exchange(next) {
      setDraft(next);
      return draft;
    },
    stale: ['listTemplates', 'readTemplate', 'listTemplateVersions'],
    onSaved: (reply) => tell(reply === undefined ? shared.saved : words.saved(reply.params.body.version)),
  });
  const dirty = !isEqual(draft, base.draft);
  useKeeping(place, dirty ? { begun: base, draft } : null);
  useLeaveQuestion(dirty);
  const { subject, body, strict, rawHtml } = text;
  return (
    <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-2">
      <Card title={words.editor}>
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            save(draft);
          }}
        >
          <Field label={words.name} problem={fieldProblem(problem, 'name')}>
            <Input
              required
              maxLength={255}
              disabled={!mayEdit}
              value={name}
              onChange={(event) => setDraft((before) => ({ ...before, name: event.target.value }))}
            />
          </Field>
          <Field label={words.subject} hint={words.subjectHint} problem={fieldProblem(problem, 'subject')}>
            <Input disabled={!mayEdit} value={subject} onChange={(event) => change({ subject: event.target.value })} />
          </Field>
          <div className="flex flex-col gap-1">
            <span aria-hidden className="text-sm font-medium">
              {words.body}
            </span>
            <CodeEditor
              label={words.body}
              value={body}
              readOnly={!mayEdit}
              onChange={(next) => change({ body: next })}
            />
            <p className="text-sm text-soft">{words.bodyHint}</p>
          </div>
          <Checkbox
            label={words.strict}
            disabled={!mayEdit}
            checked={strict}
            onChange={(event) => change({ strict: event.target.checked })}
          />
          <Checkbox
            label={words.rawHtml}
            hint={words.rawHtmlHint}
            disabled={!mayEdit}
            checked={rawHtml}
            onChange={(event) => change({ rawHtml: event.target.checked })}
          />
          <OvertakenNotice overtaken={overtaken} onSave={() => save(draft)} />
          {problem !== null && !isAbout(problem, 'name', 'subject') && <Problem error={problem} />}
          {mayEdit && (
            <Actions>
              <Button type="submit" look="primary" busy={isSaving} disabled={!dirty || body.trim() === ''}>
                {words.save}
              </Button>
            </Actions>
          )}
        </form>
      </Card>
      <div className="flex flex-col gap-5">
        <PreviewPane rendered={preview.data} problem={preview.error} />
        <Card title={words.values} lead={words.valuesLead}>
          <VariableFields
            places={placesOf(preview.data?.variables ?? template.variables)}
            texts={texts}
            onChange={setTexts}
          />
        </Card>
      </div>
    </div>
  );
}

function usePreview(template: Template, { subject, body, rawHtml }: Text, texts: Record<string, string>) {
  const draft = useSettled({ subject, body, allow_raw_html: rawHtml, texts });
  const { texts: written, ...source } = draft;
  const [variables, setVariables] = useState(template.variables);
  const values = valuesOf(placesOf(variables), written);
  const input = { params: { id: template.id }, body: { ...source, template_variables: values } };
  const read = useRead('previewTemplate', input, { keep: true });
  const found = read.data?.variables;
  useEffect(() => {
    if (found !== undefined) setVariables(found);
  }, [found]);
  return read;
}

function storedOf({
  name,
  subject,
  body,
  strict,
  allow_raw_html: rawHtml,
  updated_at: updatedAt,
}: Template): Stored<Draft> {
  return { draft: { name, text: { subject: subject ?? '', body, strict, rawHtml } }, updatedAt };
}
