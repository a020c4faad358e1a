import { useEffect, useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useRead, useWrite } from '../../api/query.ts';
import { useKeeping, useKeptDraft } from '../../session/kept-drafts.ts';
import { Button } from '../../ui/button.tsx';
import { CodeEditor } from '../../ui/code-editor.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { Checkbox, Field, Input } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { useLeaveQuestion } from '../../ui/use-leave-question.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { words } from '../../words/email/templates.ts';
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

interface EditorProps {
  template: Template;
  /** An earlier text that somebody wants in the editor. */
  takenUp: Text | null;
  mayEdit: boolean;
}

/** The text of a template beside how it looks, rendered anew a moment after every change. */
export function Editor({ template, takenUp, mayEdit }: EditorProps) {
  const stored = textOf(template);
  const place = `template ${template.id}`;
  const kept = useKeptDraft(place) as { name: string; text: Text } | undefined;
  const [name, setName] = useState(kept?.name ?? template.name);
  const [text, setText] = useState(kept?.text ?? stored);
  const [texts, setTexts] = useState<Record<string, string>>({});
  useEffect(() => {
    if (takenUp !== null) setText(takenUp);
  }, [takenUp]);
  const change = (part: Partial<Text>) => setText((before) => ({ ...before, ...part }));
  const dirty = name !== template.name || JSON.stringify(text) !== JSON.stringify(stored);
  useKeeping(place, dirty ? { name, text } : null);
  useLeaveQuestion(dirty);
  const preview = usePreview(template, text, texts);
  const save = useWrite('updateTemplate', {
    stale: ['listTemplates', 'readTemplate', 'listTemplateVersions'],
    onDone: ({ params }) => tell(words.saved(params.body.version)),
  });
  const { subject, body, strict, rawHtml } = text;
  return (
    <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-2">
      <Card title={words.editor}>
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate({
              params: { id: template.id },
              body: { name, subject, body, strict, allow_raw_html: rawHtml },
            });
          }}
        >
          <Field label={words.name} problem={fieldProblem(save.error, 'name')}>
            <Input
              required
              maxLength={255}
              disabled={!mayEdit}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </Field>
          <Field label={words.subject} hint={words.subjectHint} problem={fieldProblem(save.error, 'subject')}>
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
          {save.error !== null && !isAbout(save.error, 'name', 'subject') && <Problem error={save.error} />}
          {mayEdit && (
            <Actions>
              <Button type="submit" look="primary" busy={save.isPending} disabled={!dirty || body.trim() === ''}>
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

function textOf({ subject, body, strict, allow_raw_html: rawHtml }: Template): Text {
  return { subject: subject ?? '', body, strict, rawHtml };
}
